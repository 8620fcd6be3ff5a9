#ifndef VETNET_CSODIUM_SHIM_H
#define VETNET_CSODIUM_SHIM_H
#include <sodium.h>
#endif
