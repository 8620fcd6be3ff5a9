#ifndef VETNET_ARCHITECTURE_H
#define VETNET_ARCHITECTURE_H
#include <linux/audit.h>

#if defined(__x86_64__)
#define VETNET_AUDIT_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define VETNET_AUDIT_ARCH AUDIT_ARCH_AARCH64
#endif
#endif
