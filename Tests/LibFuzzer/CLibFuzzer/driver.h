// libFuzzer's entry for programs that have a main of their own; the toolchain has the library, but no header for it.

#ifndef VETNET_CLIBFUZZER_DRIVER_H
#define VETNET_CLIBFUZZER_DRIVER_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(int *_Nonnull argc, char *_Nullable *_Nonnull *_Nonnull argv,
                        int (*_Nonnull run)(const uint8_t *_Nullable bytes, size_t count));

#endif
