// GNU libmicrohttpd, found when a server starts.
//
// Not linked, because a linked library is loaded by every command: with what it brings along (GnuTLS) that took each of them two
// milliseconds, and only `serve` has a use for it.

#ifndef VETNET_CMICROHTTPD_SHIM_H
#define VETNET_CMICROHTTPD_SHIM_H

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#include <microhttpd.h>

// In the order of the names below.
struct vetnet_httpd {
  __typeof__(&MHD_start_daemon) start_daemon;
  __typeof__(&MHD_quiesce_daemon) quiesce_daemon;
  __typeof__(&MHD_stop_daemon) stop_daemon;
  __typeof__(&MHD_get_daemon_info) get_daemon_info;
  __typeof__(&MHD_get_connection_info) get_connection_info;
  __typeof__(&MHD_get_connection_values) get_connection_values;
  __typeof__(&MHD_suspend_connection) suspend_connection;
  __typeof__(&MHD_resume_connection) resume_connection;
  __typeof__(&MHD_create_response_from_buffer) create_response_from_buffer;
  __typeof__(&MHD_create_response_from_callback) create_response_from_callback;
  __typeof__(&MHD_add_response_header) add_response_header;
  __typeof__(&MHD_queue_response) queue_response;
  __typeof__(&MHD_destroy_response) destroy_response;
};

// False where the library isn't installed, or lacks one of them.
static inline _Bool vetnet_httpd_load(struct vetnet_httpd *_Nonnull library) {
  void *handle = dlopen("libmicrohttpd.so.12", RTLD_NOW | RTLD_LOCAL);
  if (!handle) return 0;
  static const char *const names[] = {"MHD_start_daemon", "MHD_quiesce_daemon", "MHD_stop_daemon",
                                      "MHD_get_daemon_info", "MHD_get_connection_info", "MHD_get_connection_values",
                                      "MHD_suspend_connection", "MHD_resume_connection",
                                      "MHD_create_response_from_buffer", "MHD_create_response_from_callback",
                                      "MHD_add_response_header", "MHD_queue_response", "MHD_destroy_response"};
  void **fields = (void **)library;
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    fields[i] = dlsym(handle, names[i]);
    if (!fields[i]) return 0;
  }
  return 1;
}

// What Swift can't call: functions that take a variable number of arguments.

static inline struct MHD_Daemon *_Nullable vetnet_httpd_start(const struct vetnet_httpd *_Nonnull library,
                                                              unsigned int flags,
                                                              MHD_AccessHandlerCallback _Nonnull handler,
                                                              void *_Nullable context,
                                                              struct MHD_OptionItem *_Nonnull options) {
  return library->start_daemon(flags, 0, NULL, NULL, handler, context, MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

// The port it listens on; 0 where that isn't known.
static inline unsigned int vetnet_httpd_port(const struct vetnet_httpd *_Nonnull library,
                                             struct MHD_Daemon *_Nonnull daemon) {
  const union MHD_DaemonInfo *info = library->get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
  return info ? info->port : 0;
}

// The connection's socket; -1 where it isn't known.
static inline int vetnet_httpd_socket(const struct vetnet_httpd *_Nonnull library,
                                      struct MHD_Connection *_Nonnull connection) {
  const union MHD_ConnectionInfo *info = library->get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

// Where the other end is, a `struct sockaddr` that lives as long as the connection; null where that isn't known.
static inline const void *_Nullable vetnet_httpd_peer(const struct vetnet_httpd *_Nonnull library,
                                                      struct MHD_Connection *_Nonnull connection) {
  const union MHD_ConnectionInfo *info = library->get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  return info ? info->client_addr : NULL;
}

#endif
