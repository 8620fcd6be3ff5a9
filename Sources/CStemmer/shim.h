#ifndef VETNET_CSTEMMER_SHIM_H
#define VETNET_CSTEMMER_SHIM_H
#include <libstemmer.h>
#endif
