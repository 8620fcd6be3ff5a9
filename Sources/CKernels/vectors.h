// Loops over vectors of floats, for the processor at hand. Their sums run in another order, and so end in other last digits,
// than on another kind of processor.

#ifndef VETNET_VECTORS_H
#define VETNET_VECTORS_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

// Sixteen floats, which need not be aligned. Processors without such registers use several.
typedef float vetnet_floats __attribute__((vector_size(64), aligned(4)));

// The inner product.
__attribute__((always_inline)) static inline float vetnet_dot_body(const float *a, const float *b, size_t count) {
  vetnet_floats sums[4] = {{0}, {0}, {0}, {0}};
  size_t i = 0;
  for (; i + 64 <= count; i += 64) {
    for (size_t k = 0; k < 4; k++) {
      sums[k] += *(const vetnet_floats *)(a + i + 16 * k) * *(const vetnet_floats *)(b + i + 16 * k);
    }
  }
  sums[0] = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  float sum = 0;
  for (size_t k = 0; k < 16; k++) sum += sums[0][k];
  for (; i < count; i++) sum += a[i] * b[i];
  return sum;
}

// target += factor * vector
__attribute__((always_inline)) static inline void vetnet_add_body(float factor, const float *vector, float *target,
                                                                  size_t count) {
  size_t i = 0;
  for (; i + 16 <= count; i += 16) {
    *(vetnet_floats *)(target + i) += factor * *(const vetnet_floats *)(vector + i);
  }
  for (; i < count; i++) target[i] += factor * vector[i];
}

// target = the sum of values[e] * row columns[e] of a matrix whose rows have `width` numbers. Eight registers of the target
// at a time stay in the processor while all rows pass.
__attribute__((always_inline)) static inline void vetnet_gather_body(const float *values, const int32_t *columns,
                                                                     size_t count, const float *matrix, size_t width,
                                                                     float *target) {
  size_t i = 0;
  for (; i + 128 <= width; i += 128) {
    vetnet_floats sums[8] = {{0}, {0}, {0}, {0}, {0}, {0}, {0}, {0}};
    for (size_t e = 0; e < count; e++) {
      const float *row = matrix + (size_t)columns[e] * width + i;
#pragma clang loop unroll(full)
      for (size_t k = 0; k < 8; k++) sums[k] += values[e] * *(const vetnet_floats *)(row + 16 * k);
    }
    for (size_t k = 0; k < 8; k++) *(vetnet_floats *)(target + i + 16 * k) = sums[k];
  }
  for (; i < width; i++) {
    float sum = 0;
    for (size_t e = 0; e < count; e++) sum += values[e] * matrix[(size_t)columns[e] * width + i];
    target[i] = sum;
  }
}

#if defined(__x86_64__)
#define VETNET_WIDE __attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,fma")))
#define VETNET_FMA __attribute__((target("avx2,fma")))

VETNET_WIDE static inline float vetnet_dot_wide(const float *a, const float *b, size_t count) {
  return vetnet_dot_body(a, b, count);
}
VETNET_FMA static inline float vetnet_dot_fma(const float *a, const float *b, size_t count) {
  return vetnet_dot_body(a, b, count);
}
VETNET_FMA static inline void vetnet_add_fma(float factor, const float *vector, float *target, size_t count) {
  vetnet_add_body(factor, vector, target, count);
}
VETNET_WIDE static inline void vetnet_gather_wide(const float *values, const int32_t *columns, size_t count,
                                                  const float *matrix, size_t width, float *target) {
  vetnet_gather_body(values, columns, count, matrix, width, target);
}
VETNET_FMA static inline void vetnet_gather_fma(const float *values, const int32_t *columns, size_t count,
                                                const float *matrix, size_t width, float *target) {
  vetnet_gather_body(values, columns, count, matrix, width, target);
}
#endif

// `kernel` is one of `vetnet_best_kernel`.

static inline float vetnet_dot(int kernel, const float *a, const float *b, size_t count) {
#if defined(__x86_64__)
  if (kernel >= VETNET_VNNI) return vetnet_dot_wide(a, b, count);
  if (kernel >= VETNET_AVX2) return vetnet_dot_fma(a, b, count);
#endif
  return vetnet_dot_body(a, b, count);
}

static inline void vetnet_add(int kernel, float factor, const float *vector, float *target, size_t count) {
#if defined(__x86_64__)
  if (kernel >= VETNET_AVX2) {
    vetnet_add_fma(factor, vector, target, count);
    return;
  }
#endif
  vetnet_add_body(factor, vector, target, count);
}

static inline void vetnet_gather(int kernel, const float *values, const int32_t *columns, size_t count,
                                 const float *matrix, size_t width, float *target) {
#if defined(__x86_64__)
  if (kernel >= VETNET_VNNI) {
    vetnet_gather_wide(values, columns, count, matrix, width, target);
    return;
  }
  if (kernel >= VETNET_AVX2) {
    vetnet_gather_fma(values, columns, count, matrix, width, target);
    return;
  }
#endif
  vetnet_gather_body(values, columns, count, matrix, width, target);
}

// The length. Squares of floats neither overflow nor vanish as doubles.
static inline float vetnet_norm(const float *vector, size_t count) {
  double sums[4] = {0, 0, 0, 0};
  size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    for (size_t k = 0; k < 4; k++) sums[k] += (double)vector[i + k] * (double)vector[i + k];
  }
  for (; i < count; i++) sums[0] += (double)vector[i] * (double)vector[i];
  return (float)sqrt((sums[0] + sums[1]) + (sums[2] + sums[3]));
}

#endif
