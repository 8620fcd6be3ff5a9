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
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  uintptr_t before = ((uintptr_t)sbrk(0) + page - 1) / page * page;
  // More than is free now: it grows. Volatile, for a compiler would see that nobody uses it.
  void *volatile block = malloc(1 << 20);
  free(block);
  uintptr_t after = (uintptr_t)sbrk(0) / page * page;
  // It had so much already, or a thread with a heap of its own asks.
  if (after <= before) return -1;
  return madvise((void *)before, after - before, MADV_HUGEPAGE);
}
