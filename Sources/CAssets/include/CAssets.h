#ifndef VETNET_ASSETS_H
#define VETNET_ASSETS_H

#include <stddef.h>

// What pages load, as it lies in Sources/Web/Assets, put into the program by C's #embed: as a literal of Swift the same half megabyte
// took the compiler half a minute, and then once more.
typedef struct {
  const char *_Nonnull name;
  const unsigned char *_Nonnull bytes;
  size_t count;
} vetnet_asset;

// All of them, and how many.
const vetnet_asset *_Nonnull vetnet_assets(size_t *_Nonnull count);

#endif
