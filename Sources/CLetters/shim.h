// libzip and Expat, found when a letter is read.
//
// Not linked: few imports read a Word document, and a linked library is loaded by every command.

#ifndef VETNET_CLETTERS_SHIM_H
#define VETNET_CLETTERS_SHIM_H

#include <dlfcn.h>
#include <stddef.h>

#include <expat.h>
#include <zip.h>

// In the order of the names below.
struct vetnet_zip {
  __typeof__(&zip_source_buffer_create) source_buffer_create;
  __typeof__(&zip_source_free) source_free;
  __typeof__(&zip_open_from_source) open_from_source;
  __typeof__(&zip_name_locate) name_locate;
  __typeof__(&zip_fopen_index) fopen_index;
  __typeof__(&zip_fread) fread;
  __typeof__(&zip_fclose) fclose;
  __typeof__(&zip_discard) discard;
};

struct vetnet_expat {
  __typeof__(&XML_ParserCreate) create;
  __typeof__(&XML_ParserFree) free;
  __typeof__(&XML_SetUserData) set_user_data;
  __typeof__(&XML_SetElementHandler) set_element_handler;
  __typeof__(&XML_SetCharacterDataHandler) set_character_data_handler;
  __typeof__(&XML_SetStartDoctypeDeclHandler) set_start_doctype_handler;
  __typeof__(&XML_StopParser) stop;
  __typeof__(&XML_Parse) parse;
};

static inline _Bool vetnet_letters_find(const char *const *libraries, const char *const *names, size_t count,
                                        void **fields) {
  void *handle = NULL;
  for (; *libraries && !handle; libraries++) handle = dlopen(*libraries, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return 0;
  for (size_t i = 0; i < count; i++) {
    fields[i] = dlsym(handle, names[i]);
    if (!fields[i]) return 0;
  }
  return 1;
}

// False where the library isn't installed, or lacks one of them. Debian 12 has libzip4, Debian 13 libzip5.
static inline _Bool vetnet_zip_load(struct vetnet_zip *_Nonnull library) {
  static const char *const libraries[] = {"libzip.so.5", "libzip.so.4", NULL};
  static const char *const names[] = {"zip_source_buffer_create", "zip_source_free", "zip_open_from_source",
                                      "zip_name_locate", "zip_fopen_index", "zip_fread", "zip_fclose", "zip_discard"};
  return vetnet_letters_find(libraries, names, sizeof(names) / sizeof(names[0]), (void **)library);
}

static inline _Bool vetnet_expat_load(struct vetnet_expat *_Nonnull library) {
  static const char *const libraries[] = {"libexpat.so.1", NULL};
  static const char *const names[] = {"XML_ParserCreate", "XML_ParserFree", "XML_SetUserData", "XML_SetElementHandler",
                                      "XML_SetCharacterDataHandler", "XML_SetStartDoctypeDeclHandler", "XML_StopParser",
                                      "XML_Parse"};
  return vetnet_letters_find(libraries, names, sizeof(names) / sizeof(names[0]), (void **)library);
}

#endif
