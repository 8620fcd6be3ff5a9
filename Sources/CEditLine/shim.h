// libedit, not readline: the licence is BSD.
#ifndef VETNET_CEDITLINE_SHIM_H
#define VETNET_CEDITLINE_SHIM_H
#include <histedit.h>
#endif
