#include "CSandbox.h"

#include <malloc.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int vetnet_heap_in_large_pages(int bytes) {
  // The heap grows by so much at least, and keeps it when it is free for a moment. What is large lies there, too.
  if (mallopt(M_TOP_PAD, bytes) != 1 || mallopt(M_MMAP_THRESHOLD, 32 << 20) != 1) return -1;
  // Threads that help for a moment take from the same heap.
  if (mallopt(M_ARENA_MAX, 1) != 1) return -1;
  // More than is free now: it grows. Volatile, for a compiler would see that nobody uses it.
  void *volatile block = malloc(1 << 20);
  free(block);
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  uintptr_t end = (uintptr_t)sbrk(0) / page * page;
  uintptr_t first = end - (uintptr_t)bytes / page * page;
  return madvise((void *)first, end - first, MADV_HUGEPAGE);
}
