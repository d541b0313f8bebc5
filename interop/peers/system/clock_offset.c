// Shifts the time of day of one process by CLOCK_OFFSET seconds, as a library in LD_PRELOAD. Timers are not changed.
//
// Programs in Go call the function of the kernel's vDSO, not that of libc, so this replaces the former. The pages of the
// vDSO are private: writing copies them. x86-64 only; a static program loads no library.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long offset;

// Called on the stacks of Go: needs no thread-local storage and little stack.
static int shifted(clockid_t clock, struct timespec *time) {
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "0"(SYS_clock_gettime), "D"((long)clock), "S"(time) : "rcx", "r11", "memory");
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) time->tv_sec += offset;
  return (int)result;
}

// The kernel compares the end of a wait with its own time of day. Waits by the monotonic clock have small numbers.
int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *end) {
  static __typeof__(pthread_cond_timedwait) *wait;
  if (!wait) wait = (__typeof__(wait))dlsym(RTLD_NEXT, "pthread_cond_timedwait");
  struct timespec real_end = *end;
  if (end->tv_sec > 1000000000) real_end.tv_sec -= offset;
  return wait(condition, mutex, &real_end);
}

static void *function(const uint8_t *image, const char *name) {
  const Elf64_Ehdr *header = (const void *)image;
  const Elf64_Phdr *segments = (const void *)(image + header->e_phoff);
  const uint8_t *base = image;
  const Elf64_Dyn *dynamic = NULL;
  for (int index = 0; index < header->e_phnum; index++) {
    if (segments[index].p_type == PT_LOAD) base = image + segments[index].p_offset - segments[index].p_vaddr;
    if (segments[index].p_type == PT_DYNAMIC) dynamic = (const void *)(image + segments[index].p_offset);
  }
  const Elf64_Sym *symbols = NULL;
  const char *names = NULL;
  const Elf64_Shdr *sections = (const void *)(image + header->e_shoff);
  size_t count = 0;
  for (; dynamic && dynamic->d_tag != DT_NULL; dynamic++) {
    if (dynamic->d_tag == DT_SYMTAB) symbols = (const void *)(base + dynamic->d_un.d_ptr);
    if (dynamic->d_tag == DT_STRTAB) names = (const char *)(base + dynamic->d_un.d_ptr);
  }
  for (int index = 0; index < header->e_shnum; index++) {
    if (sections[index].sh_type == SHT_DYNSYM) count = sections[index].sh_size / sizeof(Elf64_Sym);
  }
  for (size_t index = 0; symbols && names && index < count; index++) {
    if (strcmp(names + symbols[index].st_name, name) == 0) return (void *)(base + symbols[index].st_value);
  }
  return NULL;
}

__attribute__((constructor)) static void shift(void) {
  const char *text = getenv("CLOCK_OFFSET");
  const uint8_t *image = (const void *)getauxval(AT_SYSINFO_EHDR);
  uint8_t *code = image ? function(image, "__vdso_clock_gettime") : NULL;
  if (!text || !code) abort();
  offset = atol(text);
  long page = sysconf(_SC_PAGESIZE);
  uint8_t *start = (uint8_t *)((uintptr_t)code & -page);
  if (mprotect(start, 2 * page, PROT_READ | PROT_WRITE | PROT_EXEC)) abort();
  // movabs rax, shifted; jmp rax
  uint64_t target = (uint64_t)(uintptr_t)shifted;
  memcpy(code, "\x48\xb8", 2);
  memcpy(code + 2, &target, 8);
  memcpy(code + 10, "\xff\xe0", 2);
  mprotect(start, 2 * page, PROT_READ | PROT_EXEC);
}
