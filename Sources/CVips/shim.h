// libvips, found when a picture is decoded; not linked, for few commands have a use for it, and only a child with little memory and no
// rights ever calls it. Its headers bring a hundred packages along: what is needed of them stands here.

#ifndef VETNET_CVIPS_SHIM_H
#define VETNET_CVIPS_SHIM_H

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// VipsImage and VipsArea, whose insides are nobody's but the library's.
typedef void vetnet_vips_image;

// In the order of the names below. `int` stands for gboolean and for enumerations.
struct vetnet_vips {
  int (*_Nonnull init)(const char *_Nonnull name);
  void (*_Nonnull cache_set_max)(int);
  void (*_Nonnull concurrency_set)(int);
  void (*_Nonnull block_untrusted_set)(int);
  void (*_Nonnull operation_block_set)(const char *_Nonnull name, int);
  vetnet_vips_image *_Nullable (*_Nonnull image_new_from_buffer)(const void *_Nonnull, size_t, const char *_Nonnull, ...);
  int (*_Nonnull image_get_width)(const vetnet_vips_image *_Nonnull);
  int (*_Nonnull image_get_height)(const vetnet_vips_image *_Nonnull);
  int (*_Nonnull image_get_bands)(const vetnet_vips_image *_Nonnull);
  int (*_Nonnull image_get_orientation)(vetnet_vips_image *_Nonnull);
  int (*_Nonnull image_hasalpha)(vetnet_vips_image *_Nonnull);
  unsigned long (*_Nonnull image_get_typeof)(const vetnet_vips_image *_Nonnull, const char *_Nonnull);
  int (*_Nonnull image_get_string)(const vetnet_vips_image *_Nonnull, const char *_Nonnull, const char *_Nullable *_Nonnull);
  int (*_Nonnull thumbnail_buffer)(void *_Nonnull, size_t, vetnet_vips_image *_Nullable *_Nonnull, int width, ...);
  int (*_Nonnull flatten)(vetnet_vips_image *_Nonnull, vetnet_vips_image *_Nullable *_Nonnull, ...);
  int (*_Nonnull colourspace)(vetnet_vips_image *_Nonnull, vetnet_vips_image *_Nullable *_Nonnull, int space, ...);
  int (*_Nonnull jpegsave_buffer)(vetnet_vips_image *_Nonnull, void *_Nullable *_Nonnull, size_t *_Nonnull, ...);
  void *_Nullable (*_Nonnull image_write_to_memory)(vetnet_vips_image *_Nonnull, size_t *_Nonnull);
  void *_Nullable (*_Nonnull array_double_new)(const double *_Nonnull, int);
  void (*_Nonnull area_unref)(void *_Nonnull);
  vetnet_vips_image *_Nullable (*_Nonnull image_new_from_memory_copy)(const void *_Nonnull, size_t, int, int, int, int);
  int (*_Nonnull pngsave_buffer)(vetnet_vips_image *_Nonnull, void *_Nullable *_Nonnull, size_t *_Nonnull, ...);
  int (*_Nonnull webpsave_buffer)(vetnet_vips_image *_Nonnull, void *_Nullable *_Nonnull, size_t *_Nonnull, ...);
  void (*_Nonnull unref)(void *_Nonnull);
  void (*_Nonnull free)(void *_Nullable);
};

// False where the library isn't installed, or lacks one of them. Whoever says so gets the loaders of four formats and no others, no
// cache, and one thread.
static inline _Bool vetnet_vips_load(struct vetnet_vips *_Nonnull library) {
  void *handle = dlopen("libvips.so.42", RTLD_NOW | RTLD_GLOBAL);
  if (!handle) return 0;
  static const char *const names[] = {
      "vips_init", "vips_cache_set_max", "vips_concurrency_set", "vips_block_untrusted_set", "vips_operation_block_set",
      "vips_image_new_from_buffer", "vips_image_get_width", "vips_image_get_height", "vips_image_get_bands",
      "vips_image_get_orientation", "vips_image_hasalpha", "vips_image_get_typeof", "vips_image_get_string",
      "vips_thumbnail_buffer", "vips_flatten", "vips_colourspace", "vips_jpegsave_buffer", "vips_image_write_to_memory",
      "vips_array_double_new", "vips_area_unref", "vips_image_new_from_memory_copy", "vips_pngsave_buffer",
      "vips_webpsave_buffer", "g_object_unref", "g_free"};
  void **fields = (void **)library;
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    fields[i] = dlsym(handle, names[i]);
    if (!fields[i]) return 0;
  }
  // Warnings of loaders say what stands in a file, which belongs in no log.
  setenv("G_MESSAGES_DEBUG", "", 1);
  // Debian 12's libvips makes machine code as it runs, in memory that is both written and run, or in a file where it may have none: a
  // service's confinement refuses the one and the decoder's own the other.
  setenv("VIPS_NOVECTOR", "1", 1);
  if (library->init("vetnet") != 0) return 0;
  library->cache_set_max(0);
  library->concurrency_set(1);
  library->operation_block_set("VipsForeignLoad", 1);
  library->operation_block_set("VipsForeignLoadJpeg", 0);
  library->operation_block_set("VipsForeignLoadPng", 0);
  library->operation_block_set("VipsForeignLoadWebp", 0);
  library->operation_block_set("VipsForeignLoadHeif", 0);
  library->block_untrusted_set(1);
  return 1;
}

// Whether the library is there to be loaded, without loading it for good.
static inline _Bool vetnet_vips_is_installed(void) {
  void *handle = dlopen("libvips.so.42", RTLD_LAZY | RTLD_LOCAL);
  if (handle) dlclose(handle);
  return handle != NULL;
}

struct vetnet_picture {
  int width;
  int height;
  // 1 to 8, as EXIF counts.
  int orientation;
  // When it was taken, as EXIF writes it; empty where it doesn't say.
  char taken[32];
};

static inline void vetnet_vips_taken(
    const struct vetnet_vips *_Nonnull library, const vetnet_vips_image *_Nonnull image, char *_Nonnull taken) {
  static const char *const fields[] = {"exif-ifd2-DateTimeOriginal", "exif-ifd2-DateTimeDigitized", "exif-ifd0-DateTime"};
  for (int i = 0; i < 3; i++) {
    const char *text = NULL;
    if (!library->image_get_typeof(image, fields[i]) || library->image_get_string(image, fields[i], &text) != 0 || !text)
      continue;
    strncpy(taken, text, 31);
    return;
  }
}

// Reads the head of a picture, nothing of its pixels. Returns 0, or -1 for what can't be read.
static inline int vetnet_vips_head(const struct vetnet_vips *_Nonnull library, const void *_Nonnull bytes, size_t length,
                                   struct vetnet_picture *_Nonnull picture) {
  memset(picture, 0, sizeof *picture);
  vetnet_vips_image *image = library->image_new_from_buffer(bytes, length, "", NULL);
  if (!image) return -1;
  picture->width = library->image_get_width(image);
  picture->height = library->image_get_height(image);
  picture->orientation = library->image_get_orientation(image);
  vetnet_vips_taken(library, image, picture->taken);
  library->unref(image);
  return 0;
}

struct vetnet_tier {
  void *_Nullable bytes;
  size_t length;
  int width;
  int height;
};

// A picture upright, in sRGB, on white, its longer edge at most so long, as JPEG that says nothing but the picture. One that ends too
// early is refused. Returns 0, or -1; the bytes are freed by `free`.
static inline int vetnet_vips_tier(const struct vetnet_vips *_Nonnull library, void *_Nonnull bytes, size_t length, int edge,
                                   int quality, struct vetnet_tier *_Nonnull tier) {
  memset(tier, 0, sizeof *tier);
  vetnet_vips_image *image = NULL;
  // 2: only ever smaller.
  if (library->thumbnail_buffer(bytes, length, &image, edge, "height", edge, "size", 2, "option_string",
                                "[fail_on=truncated]", "export_profile", "srgb", NULL) != 0 || !image)
    return -1;
  if (library->image_hasalpha(image)) {
    const double white[] = {255, 255, 255};
    void *ground = library->array_double_new(white, library->image_get_bands(image) > 2 ? 3 : 1);
    vetnet_vips_image *flat = NULL;
    const int result = library->flatten(image, &flat, "background", ground, NULL);
    library->area_unref(ground);
    library->unref(image);
    if (result != 0 || !flat) return -1;
    image = flat;
  }
  tier->width = library->image_get_width(image);
  tier->height = library->image_get_height(image);
  const int result = library->jpegsave_buffer(image, &tier->bytes, &tier->length, "Q", quality, "strip", 1, "optimize_coding", 1, NULL);
  library->unref(image);
  return result == 0 && tier->bytes ? 0 : -1;
}

// The brightness of a picture, a byte a pixel, row by row. Returns 0, or -1; the bytes are freed by `free`.
static inline int vetnet_vips_grey(const struct vetnet_vips *_Nonnull library, const void *_Nonnull bytes, size_t length,
                                   struct vetnet_tier *_Nonnull grey) {
  memset(grey, 0, sizeof *grey);
  vetnet_vips_image *image = library->image_new_from_buffer(bytes, length, "", NULL);
  if (!image) return -1;
  vetnet_vips_image *single = NULL;
  // 1: black and white.
  const int result = library->colourspace(image, &single, 1, NULL);
  library->unref(image);
  if (result != 0 || !single) return -1;
  grey->width = library->image_get_width(single);
  grey->height = library->image_get_height(single);
  if (library->image_get_bands(single) == 1) grey->bytes = library->image_write_to_memory(single, &grey->length);
  library->unref(single);
  return grey->bytes && grey->length == (size_t)grey->width * (size_t)grey->height ? 0 : -1;
}

enum vetnet_picture_format { VETNET_JPEG, VETNET_PNG, VETNET_WEBP };

// A picture of bytes, three a pixel, in a format: for samples and measurements. Returns 0, or -1; the bytes are freed by `free`.
static inline int vetnet_vips_encode(const struct vetnet_vips *_Nonnull library, const void *_Nonnull pixels, int width,
                                     int height, int format, int quality, struct vetnet_tier *_Nonnull out) {
  memset(out, 0, sizeof *out);
  // 0: unsigned bytes.
  vetnet_vips_image *image =
      library->image_new_from_memory_copy(pixels, (size_t)width * (size_t)height * 3, width, height, 3, 0);
  if (!image) return -1;
  vetnet_vips_image *colour = NULL;
  // 22: sRGB. What comes from memory says nothing of its colours, and three bands of bytes are taken for these.
  int result = library->colourspace(image, &colour, 22, NULL);
  library->unref(image);
  if (result != 0 || !colour) return -1;
  out->width = width;
  out->height = height;
  if (format == VETNET_PNG) {
    result = library->pngsave_buffer(colour, &out->bytes, &out->length, NULL);
  } else if (format == VETNET_WEBP) {
    result = library->webpsave_buffer(colour, &out->bytes, &out->length, "Q", quality, NULL);
  } else {
    result = library->jpegsave_buffer(colour, &out->bytes, &out->length, "Q", quality, NULL);
  }
  library->unref(colour);
  return result == 0 && out->bytes ? 0 : -1;
}

#endif
