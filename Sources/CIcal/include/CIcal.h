// libical as far as VetNet calls it. Not linked: it brings ICU and Berkeley DB, and every command would load them at its start,
// while few read or write a calendar. The functions have libical's own names; forward.c hands each call on.

#ifndef VETNET_CICAL_H
#define VETNET_CICAL_H

#include <libical/ical.h>

// False where the library isn't installed, or lacks a function. Nothing else may be called before it said true.
_Bool vetnet_ical_load(void);

#endif
