// libfido2, found when somebody signs in by a passkey; not linked, for few commands have a use for it.

#ifndef VETNET_CFIDO_SHIM_H
#define VETNET_CFIDO_SHIM_H

#include <dlfcn.h>
#include <stddef.h>

#include <fido.h>
#include <fido/es256.h>
#include <fido/rs256.h>

// In the order of the names below.
struct vetnet_fido {
  __typeof__(&fido_init) init;
  __typeof__(&fido_assert_new) assert_new;
  __typeof__(&fido_assert_free) assert_free;
  __typeof__(&fido_assert_set_clientdata_hash) set_clientdata_hash;
  __typeof__(&fido_assert_set_rp) set_rp;
  __typeof__(&fido_assert_set_up) set_up;
  __typeof__(&fido_assert_set_uv) set_uv;
  __typeof__(&fido_assert_set_count) set_count;
  __typeof__(&fido_assert_set_authdata_raw) set_authdata_raw;
  __typeof__(&fido_assert_set_sig) set_sig;
  __typeof__(&fido_assert_verify) verify;
  __typeof__(&es256_pk_new) es256_new;
  __typeof__(&es256_pk_free) es256_free;
  __typeof__(&es256_pk_from_ptr) es256_from;
  __typeof__(&rs256_pk_new) rs256_new;
  __typeof__(&rs256_pk_free) rs256_free;
  __typeof__(&rs256_pk_from_ptr) rs256_from;
};

// False where the library isn't installed, or lacks one of them.
static inline _Bool vetnet_fido_load(struct vetnet_fido *_Nonnull library) {
  void *handle = dlopen("libfido2.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!handle) return 0;
  static const char *const names[] = {
      "fido_init", "fido_assert_new", "fido_assert_free", "fido_assert_set_clientdata_hash", "fido_assert_set_rp",
      "fido_assert_set_up", "fido_assert_set_uv", "fido_assert_set_count", "fido_assert_set_authdata_raw",
      "fido_assert_set_sig", "fido_assert_verify", "es256_pk_new", "es256_pk_free", "es256_pk_from_ptr",
      "rs256_pk_new", "rs256_pk_free", "rs256_pk_from_ptr"};
  void **fields = (void **)library;
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    fields[i] = dlsym(handle, names[i]);
    if (!fields[i]) return 0;
  }
  library->init(0);
  return 1;
}

// Whether a signature is right: FIDO_OK or the library's error. The key is x and y of a point of P-256, or modulus and exponent of a key
// of 2048 bits.
static inline int vetnet_fido_check(const struct vetnet_fido *_Nonnull library, int algorithm,
                                    const unsigned char *_Nonnull key, size_t key_length,
                                    const char *_Nonnull relying_party,
                                    const unsigned char *_Nonnull client_data_hash,
                                    const unsigned char *_Nonnull data, size_t data_length,
                                    const unsigned char *_Nonnull signature, size_t signature_length) {
  fido_assert_t *assertion = library->assert_new();
  if (!assertion) return FIDO_ERR_INTERNAL;
  int result = library->set_clientdata_hash(assertion, client_data_hash, 32);
  if (result == FIDO_OK) result = library->set_rp(assertion, relying_party);
  if (result == FIDO_OK) result = library->set_count(assertion, 1);
  if (result == FIDO_OK) result = library->set_up(assertion, FIDO_OPT_TRUE);
  if (result == FIDO_OK) result = library->set_uv(assertion, FIDO_OPT_TRUE);
  if (result == FIDO_OK) result = library->set_authdata_raw(assertion, 0, data, data_length);
  if (result == FIDO_OK) result = library->set_sig(assertion, 0, signature, signature_length);
  if (result == FIDO_OK && algorithm == COSE_ES256) {
    es256_pk_t *point = library->es256_new();
    result = point ? library->es256_from(point, key, key_length) : FIDO_ERR_INTERNAL;
    if (result == FIDO_OK) result = library->verify(assertion, 0, algorithm, point);
    library->es256_free(&point);
  } else if (result == FIDO_OK && algorithm == COSE_RS256) {
    rs256_pk_t *numbers = library->rs256_new();
    result = numbers ? library->rs256_from(numbers, key, key_length) : FIDO_ERR_INTERNAL;
    if (result == FIDO_OK) result = library->verify(assertion, 0, algorithm, numbers);
    library->rs256_free(&numbers);
  } else if (result == FIDO_OK) {
    result = FIDO_ERR_UNSUPPORTED_ALGORITHM;
  }
  library->assert_free(&assertion);
  return result;
}

#endif
