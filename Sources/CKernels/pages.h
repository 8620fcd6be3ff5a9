// The checksum of a page of a practice file; what it is for stands at PageSum in Swift. In C because tests are built without
// optimisation, where a loop in Swift over each page that is written took a hundredth of their time.

#ifndef VETNET_PAGES_H
#define VETNET_PAGES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t vetnet_page_word(const uint8_t *bytes) {
  uint64_t word;
  memcpy(&word, bytes, sizeof word);
  return word;
}

// A product carries upwards only: the fold brings the high bits down.
static inline uint64_t vetnet_page_mixed(uint64_t state, uint64_t word) {
  uint64_t product = (state ^ word) * 0x9FB21C651E98DF25;
  return product ^ product >> 32;
}

// The sum of a page's number and of its bytes but for the last eight. `count` is a multiple of 32, 64 at least.
static inline uint64_t vetnet_page_sum(const void *page, size_t count, uint64_t number) {
  const uint8_t *bytes = (const uint8_t *)page;
  uint64_t a = number, b = 0x9E3779B97F4A7C15, c = 0xC2B2AE3D27D4EB4F, d = ~number;
  size_t end = count - 32;
  for (size_t offset = 0; offset < end; offset += 32) {
    a = vetnet_page_mixed(a, vetnet_page_word(bytes + offset));
    b = vetnet_page_mixed(b, vetnet_page_word(bytes + offset + 8));
    c = vetnet_page_mixed(c, vetnet_page_word(bytes + offset + 16));
    d = vetnet_page_mixed(d, vetnet_page_word(bytes + offset + 24));
  }
  a = vetnet_page_mixed(a, vetnet_page_word(bytes + end));
  b = vetnet_page_mixed(b, vetnet_page_word(bytes + end + 8));
  c = vetnet_page_mixed(c, vetnet_page_word(bytes + end + 16));
  return vetnet_page_mixed(vetnet_page_mixed(vetnet_page_mixed(a, b), c), d);
}

#endif
