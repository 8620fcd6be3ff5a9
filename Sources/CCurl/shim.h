// libcurl, found when a practice file syncs over a network; not linked, for two commands have a use for it. Of its headers a few
// numbers are needed, which stand here: they are part of its binary interface and never change.

#ifndef VETNET_CCURL_SHIM_H
#define VETNET_CCURL_SHIM_H

#include <dlfcn.h>
#include <stddef.h>

// CURLoption. A number below 10000 takes a long, one below 20000 a pointer, one below 30000 a function.
enum {
  VETNET_CURL_TIMEOUT = 13,
  VETNET_CURL_LOW_SPEED_LIMIT = 19,
  VETNET_CURL_LOW_SPEED_TIME = 20,
  VETNET_CURL_SSLVERSION = 32,
  VETNET_CURL_FOLLOWLOCATION = 52,
  VETNET_CURL_POSTFIELDSIZE = 60,
  VETNET_CURL_SSL_VERIFYPEER = 64,
  VETNET_CURL_CONNECTTIMEOUT = 78,
  VETNET_CURL_HTTPGET = 80,
  VETNET_CURL_SSL_VERIFYHOST = 81,
  VETNET_CURL_HTTP_VERSION = 84,
  VETNET_CURL_NOSIGNAL = 99,
  VETNET_CURL_PROTOCOLS = 181,
  VETNET_CURL_WRITEDATA = 10001,
  VETNET_CURL_URL = 10002,
  VETNET_CURL_PROXY = 10004,
  VETNET_CURL_ERRORBUFFER = 10010,
  VETNET_CURL_POSTFIELDS = 10015,
  VETNET_CURL_HTTPHEADER = 10023,
  VETNET_CURL_HEADERDATA = 10029,
  VETNET_CURL_SOCKOPTDATA = 10149,
  VETNET_CURL_OPENSOCKETDATA = 10164,
  VETNET_CURL_NOPROXY = 10177,
  VETNET_CURL_PINNEDPUBLICKEY = 10230,
  VETNET_CURL_CONNECT_TO = 10243,
  VETNET_CURL_WRITEFUNCTION = 20011,
  VETNET_CURL_HEADERFUNCTION = 20079,
  VETNET_CURL_SOCKOPTFUNCTION = 20148,
  VETNET_CURL_OPENSOCKETFUNCTION = 20163,
};

// CURLINFO_RESPONSE_CODE, a long.
enum { VETNET_CURL_RESPONSE_CODE = 0x200002 };

// CURLcode.
enum {
  VETNET_CURL_OK = 0,
  VETNET_CURL_CANT_RESOLVE = 6,
  VETNET_CURL_CANT_CONNECT = 7,
  VETNET_CURL_PARTIAL = 18,
  VETNET_CURL_WRITE_ERROR = 23,
  VETNET_CURL_TIMED_OUT = 28,
  VETNET_CURL_TLS_FAILED = 35,
  VETNET_CURL_PIN_DIFFERS = 90,
};

// Bits of CURLOPT_PROTOCOLS; CURL_SSLVERSION_TLSv1_2; CURL_HTTP_VERSION_1_1; CURL_SOCKOPT_ALREADY_CONNECTED; CURL_GLOBAL_DEFAULT.
enum {
  VETNET_CURL_HTTP = 1,
  VETNET_CURL_HTTPS = 2,
  VETNET_CURL_TLS_1_2 = 6,
  VETNET_CURL_HTTP_1_1 = 2,
  VETNET_CURL_CONNECTED = 2,
  VETNET_CURL_GLOBAL = 3,
};

// The size of what CURLOPT_ERRORBUFFER points to.
enum { VETNET_CURL_ERROR_SIZE = 256 };

// CURL and struct curl_slist, whose insides are nobody's but the library's.
typedef void vetnet_curl_handle;
typedef void vetnet_curl_list;

// Is given what arrived, `size` times `count` bytes, and returns as many unless it has to end.
typedef size_t (*vetnet_curl_take)(char *_Nonnull bytes, size_t size, size_t count, void *_Nullable context);
// Gives a socket that is connected; -1 for none.
typedef int (*vetnet_curl_open)(void *_Nullable context, int purpose, void *_Nonnull address);
typedef int (*vetnet_curl_settle)(void *_Nullable context, int socket, int purpose);

// In the order of the names below.
struct vetnet_curl {
  int (*_Nonnull global_init)(long);
  vetnet_curl_handle *_Nullable (*_Nonnull easy_init)(void);
  int (*_Nonnull easy_setopt)(vetnet_curl_handle *_Nonnull, int, ...);
  int (*_Nonnull easy_perform)(vetnet_curl_handle *_Nonnull);
  int (*_Nonnull easy_getinfo)(vetnet_curl_handle *_Nonnull, int, ...);
  void (*_Nonnull easy_cleanup)(vetnet_curl_handle *_Nonnull);
  vetnet_curl_list *_Nullable (*_Nonnull list_append)(vetnet_curl_list *_Nullable, const char *_Nonnull);
  void (*_Nonnull list_free)(vetnet_curl_list *_Nullable);
};

// False where the library isn't installed, or lacks one of them. Debian has it with either of two libraries for TLS.
static inline _Bool vetnet_curl_load(struct vetnet_curl *_Nonnull library) {
  void *handle = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!handle) handle = dlopen("libcurl-gnutls.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!handle) return 0;
  static const char *const names[] = {"curl_global_init", "curl_easy_init", "curl_easy_setopt", "curl_easy_perform",
                                      "curl_easy_getinfo", "curl_easy_cleanup", "curl_slist_append",
                                      "curl_slist_free_all"};
  void **fields = (void **)library;
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    fields[i] = dlsym(handle, names[i]);
    if (!fields[i]) return 0;
  }
  return library->global_init(VETNET_CURL_GLOBAL) == VETNET_CURL_OK;
}

// What Swift can't call: functions that take a variable number of arguments. Each returns CURLE_OK or the library's error.

static inline int vetnet_curl_set_number(const struct vetnet_curl *_Nonnull library, vetnet_curl_handle *_Nonnull handle,
                                         int option, long value) {
  return library->easy_setopt(handle, option, value);
}

static inline int vetnet_curl_set_pointer(const struct vetnet_curl *_Nonnull library,
                                          vetnet_curl_handle *_Nonnull handle, int option, const void *_Nullable value) {
  return library->easy_setopt(handle, option, value);
}

static inline int vetnet_curl_set_take(const struct vetnet_curl *_Nonnull library, vetnet_curl_handle *_Nonnull handle,
                                       int option, vetnet_curl_take _Nonnull function) {
  return library->easy_setopt(handle, option, function);
}

static inline int vetnet_curl_set_open(const struct vetnet_curl *_Nonnull library, vetnet_curl_handle *_Nonnull handle,
                                       vetnet_curl_open _Nonnull open, vetnet_curl_settle _Nonnull settle) {
  int result = library->easy_setopt(handle, VETNET_CURL_OPENSOCKETFUNCTION, open);
  return result ? result : library->easy_setopt(handle, VETNET_CURL_SOCKOPTFUNCTION, settle);
}

// The status of the last answer; 0 where there is none.
static inline long vetnet_curl_status(const struct vetnet_curl *_Nonnull library, vetnet_curl_handle *_Nonnull handle) {
  long status = 0;
  library->easy_getinfo(handle, VETNET_CURL_RESPONSE_CODE, &status);
  return status;
}

#endif
