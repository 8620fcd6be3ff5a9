// Loops over one-byte codes of vectors, for the processor at hand.
//
// A vector v of `dimension` numbers is kept as signed bytes c and a scale s, v = s c + r, together with upper bounds of
// |r| and |v|. A question is kept as 16-bit numbers, so that its own rounding hardly counts. The products of both are whole
// numbers: every variant below computes the same ones, and only the time differs.
//
// In C because Swift can't yet say which processor a function is compiled for. Which variant may run is asked at run time.

#ifndef VETNET_CKERNELS_H
#define VETNET_CKERNELS_H

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#define VETNET_HAS_X86 1
#endif

// The variants, in ascending order of speed.
enum vetnet_kernel { VETNET_PORTABLE = 0, VETNET_AVX2 = 1, VETNET_VNNI = 2 };

// The fastest variant that this processor can run.
static inline int vetnet_best_kernel(void) {
#ifdef VETNET_HAS_X86
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vnni")) {
    return VETNET_VNNI;
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return VETNET_AVX2;
#endif
  return VETNET_PORTABLE;
}

// The scale of a code, and the bounds that make a search over codes exact.
struct vetnet_code {
  float scale;
  // At least |v - scale * codes|.
  float error;
  // At least |v|.
  float norm;
};

// A float that is not below `value`; infinite where floats end.
static inline float vetnet_rounded_up(double value) {
  float rounded = (float)value;
  return (double)rounded < value ? nextafterf(rounded, INFINITY) : rounded;
}

// Writes the codes of a vector, -127 to 127. A vector too small or too large for a float scale gets codes of zero and bounds
// that rule nothing out. The sums of squares are widened by more than their rounding can amount to.
static inline struct vetnet_code vetnet_encode(const float *vector, size_t dimension, int8_t *codes) {
  float greatest = 0;
  double squares = 0;
  for (size_t i = 0; i < dimension; i++) {
    float magnitude = fabsf(vector[i]);
    if (magnitude > greatest) greatest = magnitude;
    squares += (double)vector[i] * (double)vector[i];
  }
  const double slack = 1 + 1e-9;
  struct vetnet_code code = {0, 0, vetnet_rounded_up(sqrt(squares) * slack)};
  // Below this the scale's inverse would overflow, and its own rounding count.
  const float smallest = 127 * 16 * FLT_MIN;
  if (!(greatest >= smallest && greatest <= FLT_MAX)) {
    memset(codes, 0, dimension);
    code.error = code.norm;
    return code;
  }
  code.scale = greatest / 127;
  const float inverse = 1 / code.scale;
  double rest = 0;
  for (size_t i = 0; i < dimension; i++) {
    // Adding and taking away 1.5 * 2^23 rounds to the nearest whole number.
    float rounded = (vector[i] * inverse + 12582912.0f) - 12582912.0f;
    if (rounded > 127) rounded = 127;
    if (rounded < -127) rounded = -127;
    codes[i] = (int8_t)rounded;
    double missing = (double)vector[i] - (double)code.scale * (double)rounded;
    rest += missing * missing;
  }
  code.error = vetnet_rounded_up(sqrt(rest) * slack);
  return code;
}

// MARK: Products

// out[q * stride + v] = the inner product of codes v and query q. `dimension` is a multiple of 64; entries of queries are so
// small that no sum overflows (see the caller).
static inline void vetnet_code_products_portable(const int8_t *codes, size_t count, size_t dimension,
                                                 const int16_t *queries, size_t query_count, int32_t *out,
                                                 size_t stride) {
  for (size_t v = 0; v < count; v++) {
    for (size_t q = 0; q < query_count; q++) {
      const int8_t *a = codes + v * dimension;
      const int16_t *b = queries + q * dimension;
      int32_t sum = 0;
      for (size_t i = 0; i < dimension; i++) sum += (int32_t)a[i] * (int32_t)b[i];
      out[q * stride + v] = sum;
    }
  }
}

#ifdef VETNET_HAS_X86

__attribute__((target("avx2,fma"))) static inline int32_t vetnet_sum_avx2(__m256i x) {
  __m128i half = _mm_add_epi32(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
  half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0x4E));
  half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0xB1));
  return _mm_cvtsi128_si32(half);
}

// Two vectors by two queries at a time: each code is widened once for both queries.
__attribute__((target("avx2,fma"))) static inline void vetnet_code_products_avx2(
    const int8_t *codes, size_t count, size_t dimension, const int16_t *queries, size_t query_count, int32_t *out,
    size_t stride) {
  for (size_t v = 0; v < count; v += 2) {
    const int8_t *a0 = codes + v * dimension;
    const int8_t *a1 = v + 1 < count ? a0 + dimension : a0;
    for (size_t q = 0; q < query_count; q += 2) {
      const int16_t *b0 = queries + q * dimension;
      const int16_t *b1 = q + 1 < query_count ? b0 + dimension : b0;
      __m256i s00 = _mm256_setzero_si256(), s01 = s00, s10 = s00, s11 = s00;
      for (size_t i = 0; i < dimension; i += 16) {
        __m256i x0 = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(a0 + i)));
        __m256i x1 = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(a1 + i)));
        __m256i y0 = _mm256_loadu_si256((const __m256i *)(b0 + i));
        __m256i y1 = _mm256_loadu_si256((const __m256i *)(b1 + i));
        s00 = _mm256_add_epi32(s00, _mm256_madd_epi16(x0, y0));
        s01 = _mm256_add_epi32(s01, _mm256_madd_epi16(x0, y1));
        s10 = _mm256_add_epi32(s10, _mm256_madd_epi16(x1, y0));
        s11 = _mm256_add_epi32(s11, _mm256_madd_epi16(x1, y1));
      }
      out[q * stride + v] = vetnet_sum_avx2(s00);
      if (q + 1 < query_count) out[(q + 1) * stride + v] = vetnet_sum_avx2(s01);
      if (v + 1 < count) {
        out[q * stride + v + 1] = vetnet_sum_avx2(s10);
        if (q + 1 < query_count) out[(q + 1) * stride + v + 1] = vetnet_sum_avx2(s11);
      }
    }
  }
}

#define VETNET_VNNI_TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni")))

// One query: nothing but a run through the codes.
VETNET_VNNI_TARGET static inline void vetnet_code_products_vnni_single(const int8_t *codes, size_t count,
                                                                       size_t dimension, const int16_t *query,
                                                                       int32_t *out) {
  for (size_t v = 0; v < count; v++) {
    const int8_t *a = codes + v * dimension;
    __m512i s0 = _mm512_setzero_si512(), s1 = s0;
    for (size_t i = 0; i < dimension; i += 64) {
      __m512i x0 = _mm512_cvtepi8_epi16(_mm256_loadu_si256((const __m256i *)(a + i)));
      __m512i x1 = _mm512_cvtepi8_epi16(_mm256_loadu_si256((const __m256i *)(a + i + 32)));
      s0 = _mm512_dpwssd_epi32(s0, x0, _mm512_loadu_si512(query + i));
      s1 = _mm512_dpwssd_epi32(s1, x1, _mm512_loadu_si512(query + i + 32));
      // The processor's own look ahead stops at a page; this one crosses it.
      _mm_prefetch((const char *)(a + i) + 8192, _MM_HINT_T0);
    }
    out[v] = _mm512_reduce_add_epi32(_mm512_add_epi32(s0, s1));
  }
}

// Four vectors by four queries at a time.
VETNET_VNNI_TARGET static inline void vetnet_code_products_vnni(const int8_t *codes, size_t count, size_t dimension,
                                                                const int16_t *queries, size_t query_count,
                                                                int32_t *out, size_t stride) {
  if (query_count == 1) {
    vetnet_code_products_vnni_single(codes, count, dimension, queries, out);
    return;
  }
  for (size_t v = 0; v < count; v += 4) {
    const int8_t *a[4];
    // Past the end the last one is multiplied again, and the result not kept.
    for (size_t k = 0; k < 4; k++) a[k] = codes + (v + k < count ? v + k : count - 1) * dimension;
    for (size_t q = 0; q < query_count; q += 4) {
      const int16_t *b[4];
      for (size_t k = 0; k < 4; k++) b[k] = queries + (q + k < query_count ? q + k : query_count - 1) * dimension;
      __m512i sums[4][4];
      for (int j = 0; j < 4; j++) {
        for (int k = 0; k < 4; k++) sums[j][k] = _mm512_setzero_si512();
      }
      for (size_t i = 0; i < dimension; i += 32) {
        __m512i y0 = _mm512_loadu_si512(b[0] + i), y1 = _mm512_loadu_si512(b[1] + i);
        __m512i y2 = _mm512_loadu_si512(b[2] + i), y3 = _mm512_loadu_si512(b[3] + i);
#pragma clang loop unroll(full)
        for (int j = 0; j < 4; j++) {
          __m512i x = _mm512_cvtepi8_epi16(_mm256_loadu_si256((const __m256i *)(a[j] + i)));
          sums[j][0] = _mm512_dpwssd_epi32(sums[j][0], x, y0);
          sums[j][1] = _mm512_dpwssd_epi32(sums[j][1], x, y1);
          sums[j][2] = _mm512_dpwssd_epi32(sums[j][2], x, y2);
          sums[j][3] = _mm512_dpwssd_epi32(sums[j][3], x, y3);
        }
      }
      for (size_t j = 0; j < 4 && v + j < count; j++) {
        for (size_t k = 0; k < 4 && q + k < query_count; k++) {
          out[(q + k) * stride + v + j] = _mm512_reduce_add_epi32(sums[j][k]);
        }
      }
    }
  }
}

#endif

static inline void vetnet_code_products(int kernel, const int8_t *codes, size_t count, size_t dimension,
                                        const int16_t *queries, size_t query_count, int32_t *out, size_t stride) {
#ifdef VETNET_HAS_X86
  if (kernel >= VETNET_VNNI) {
    vetnet_code_products_vnni(codes, count, dimension, queries, query_count, out, stride);
    return;
  }
  if (kernel >= VETNET_AVX2) {
    vetnet_code_products_avx2(codes, count, dimension, queries, query_count, out, stride);
    return;
  }
#endif
  vetnet_code_products_portable(codes, count, dimension, queries, query_count, out, stride);
}

// MARK: Bounds

// What a search knows of a query and of the best it has seen.
struct vetnet_bounds {
  // Of the query's code.
  float scale;
  // How far a score may lie off: error * error_factor + norm * norm_factor, and as much again as numbers near zero lose.
  float error_factor;
  float norm_factor;
  // What a score must be able to reach.
  float threshold;
};

// Room for `count` entries in each array.
struct vetnet_selection {
  uint32_t *places;
  // Products times both scales.
  float *scores;
  // How far the true scores may lie from them.
  float *margins;
};

// Which of `count` vectors may reach the threshold; what isn't a number may. Returns how many.
__attribute__((always_inline)) static inline size_t vetnet_select_body(const int32_t *products, const float *scales,
                                                                       const float *errors, const float *norms,
                                                                       size_t count, struct vetnet_bounds bounds,
                                                                       struct vetnet_selection selection) {
  enum { width = 32 };
  size_t kept = 0;
  for (size_t v = 0; v < count; v += width) {
    float score[width], margin[width];
    if (v + width <= count) {
      int any = 0;
      for (size_t i = 0; i < width; i++) {
        score[i] = (float)products[v + i] * (scales[v + i] * bounds.scale);
        margin[i] = errors[v + i] * bounds.error_factor + norms[v + i] * bounds.norm_factor + FLT_MIN;
        any |= !(score[i] + margin[i] < bounds.threshold);
      }
      if (!any) continue;
    }
    for (size_t i = 0; i < width && v + i < count; i++) {
      score[i] = (float)products[v + i] * (scales[v + i] * bounds.scale);
      margin[i] = errors[v + i] * bounds.error_factor + norms[v + i] * bounds.norm_factor + FLT_MIN;
      if (score[i] + margin[i] < bounds.threshold) continue;
      selection.places[kept] = (uint32_t)(v + i);
      selection.scores[kept] = score[i];
      selection.margins[kept] = margin[i];
      kept++;
    }
  }
  return kept;
}

#ifdef VETNET_HAS_X86
__attribute__((target("avx2,fma"))) static inline size_t vetnet_select_avx2(const int32_t *products, const float *scales,
                                                                           const float *errors, const float *norms,
                                                                           size_t count, struct vetnet_bounds bounds,
                                                                           struct vetnet_selection selection) {
  return vetnet_select_body(products, scales, errors, norms, count, bounds, selection);
}
#endif

static inline size_t vetnet_select(int kernel, const int32_t *products, const float *scales, const float *errors,
                                   const float *norms, size_t count, struct vetnet_bounds bounds,
                                   struct vetnet_selection selection) {
#ifdef VETNET_HAS_X86
  if (kernel >= VETNET_AVX2) {
    return vetnet_select_avx2(products, scales, errors, norms, count, bounds, selection);
  }
#endif
  return vetnet_select_body(products, scales, errors, norms, count, bounds, selection);
}

#include "vectors.h"
#include "pages.h"

#endif
