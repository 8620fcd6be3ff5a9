#ifndef VETNET_CICAL_SHIM_H
#define VETNET_CICAL_SHIM_H
#include <libical/ical.h>
#endif
