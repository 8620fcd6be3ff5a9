// CBLAS as it is, and the Fortran LAPACK routines we call: Debian's OpenBLAS ships no LAPACKE.

#ifndef VETNET_COPENBLAS_SHIM_H
#define VETNET_COPENBLAS_SHIM_H

#include <cblas.h>

// QR factorisation of a general matrix, and the orthonormal factor made explicit.
void sgeqrf_(const int *m, const int *n, float *a, const int *lda, float *tau, float *work, const int *lwork,
             int *info);
void sorgqr_(const int *m, const int *n, const int *k, float *a, const int *lda, const float *tau, float *work,
             const int *lwork, int *info);

// Singular value decomposition by divide and conquer.
void sgesdd_(const char *jobz, const int *m, const int *n, float *a, const int *lda, float *s, float *u,
             const int *ldu, float *vt, const int *ldvt, float *work, const int *lwork, int *iwork, int *info);

#endif
