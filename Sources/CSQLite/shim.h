// What Swift can't call or see of SQLite, and nothing else.

#ifndef VETNET_CSQLITE_SHIM_H
#define VETNET_CSQLITE_SHIM_H

#include <sqlite3.h>

// `SQLITE_TRANSIENT` is a cast of -1 to a function pointer, which Swift does not import.
static inline int vetnet_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *bytes, int length) {
  return sqlite3_bind_text(statement, index, bytes, length, SQLITE_TRANSIENT);
}

static inline int vetnet_sqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int length) {
  return sqlite3_bind_blob(statement, index, bytes, length, SQLITE_TRANSIENT);
}

// `sqlite3_db_config` is variadic.
static inline int vetnet_sqlite_set_flag(sqlite3 *database, int option, int enabled) {
  return sqlite3_db_config(database, option, enabled, (int *)0);
}

// `sqlite3_config` is variadic. Nobody reads how much memory SQLite has in use, and counting it takes a lock at every allocation.
static inline int vetnet_sqlite_stop_counting_memory(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

#endif
