// The routines of OpenBLAS that VetNet calls, found when they are first needed.
//
// Not linked, because a linked library is loaded by every question, and OpenBLAS then starts a thread for each core that
// spins for a while before it sleeps: a tenth of the time of a question that has no use for it. And because it has to be
// told which processor it runs on: version 0.3.21 takes those that are newer than itself for the oldest it knows.

#ifndef VETNET_COPENBLAS_SHIM_H
#define VETNET_COPENBLAS_SHIM_H

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>

// The values of CBLAS for row-major matrices.
enum { VETNET_ROW_MAJOR = 101, VETNET_NO_TRANSPOSE = 111, VETNET_TRANSPOSE = 112 };

struct vetnet_openblas {
  void (*_Nonnull set_threads)(int count);

  void (*_Nonnull sgemm)(int order, int transpose_a, int transpose_b, int m, int n, int k, float alpha,
                         const float *_Nullable a, int lda, const float *_Nullable b, int ldb, float beta,
                         float *_Nullable c, int ldc);
  void (*_Nonnull sgemv)(int order, int transpose, int m, int n, float alpha, const float *_Nullable a, int lda,
                         const float *_Nullable x, int incx, float beta, float *_Nullable y, int incy);

  // LAPACK's Fortran routines: QR factorisation of a general matrix, and the orthonormal factor made explicit.
  void (*_Nonnull sgeqrf)(const int *_Nonnull m, const int *_Nonnull n, float *_Nonnull a, const int *_Nonnull lda,
                          float *_Nonnull tau, float *_Nonnull work, const int *_Nonnull lwork, int *_Nonnull info);
  void (*_Nonnull sorgqr)(const int *_Nonnull m, const int *_Nonnull n, const int *_Nonnull k, float *_Nonnull a,
                          const int *_Nonnull lda, const float *_Nonnull tau, float *_Nonnull work,
                          const int *_Nonnull lwork, int *_Nonnull info);
  // Singular value decomposition by divide and conquer.
  void (*_Nonnull sgesdd)(const char *_Nonnull jobz, const int *_Nonnull m, const int *_Nonnull n, float *_Nonnull a,
                          const int *_Nonnull lda, float *_Nonnull s, float *_Nonnull u, const int *_Nonnull ldu,
                          float *_Nonnull vt, const int *_Nonnull ldvt, float *_Nonnull work,
                          const int *_Nonnull lwork, int *_Nonnull iwork, int *_Nonnull info);
  // Cholesky factorisation of a symmetric positive definite matrix, the solution of its equations, and its inverse.
  void (*_Nonnull spotrf)(const char *_Nonnull uplo, const int *_Nonnull n, float *_Nonnull a, const int *_Nonnull lda,
                          int *_Nonnull info);
  void (*_Nonnull spotrs)(const char *_Nonnull uplo, const int *_Nonnull n, const int *_Nonnull nrhs,
                          const float *_Nonnull a, const int *_Nonnull lda, float *_Nonnull b, const int *_Nonnull ldb,
                          int *_Nonnull info);
  void (*_Nonnull spotri)(const char *_Nonnull uplo, const int *_Nonnull n, float *_Nonnull a, const int *_Nonnull lda,
                          int *_Nonnull info);
};

// The kernels for the processor at hand, in OpenBLAS's words; null where its own choice is good.
static inline const char *_Nullable vetnet_openblas_processor(void) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")) {
    return "SKYLAKEX";
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "HASWELL";
#endif
  return NULL;
}

// Loads the library with a single thread, and finds what is named above; false where that fails. What the user has put into
// the environment is respected, and the environment is left as it was.
static inline _Bool vetnet_openblas_load(struct vetnet_openblas *_Nonnull library) {
  const char *processor = vetnet_openblas_processor();
  const _Bool choosesProcessor = processor && !getenv("OPENBLAS_CORETYPE");
  const _Bool choosesThreads = !getenv("OPENBLAS_NUM_THREADS");
  if (choosesProcessor) setenv("OPENBLAS_CORETYPE", processor, 1);
  if (choosesThreads) setenv("OPENBLAS_NUM_THREADS", "1", 1);
  void *handle = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
  if (choosesProcessor) unsetenv("OPENBLAS_CORETYPE");
  if (choosesThreads) unsetenv("OPENBLAS_NUM_THREADS");
  if (!handle) return 0;

  static const char *const names[] = {"openblas_set_num_threads", "cblas_sgemm", "cblas_sgemv", "sgeqrf_", "sorgqr_",
                                      "sgesdd_", "spotrf_", "spotrs_", "spotri_"};
  void **fields = (void **)library;
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    fields[i] = dlsym(handle, names[i]);
    if (!fields[i]) return 0;
  }
  return 1;
}

#endif
