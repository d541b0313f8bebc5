// Required for the extensions of posix_spawn(3) that are not in POSIX.
#define _GNU_SOURCE
#define _DARWIN_C_SOURCE

#include "CSpawn.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>

#ifdef __APPLE__
#include <crt_externs.h>
#else
#include <unistd.h>
#endif

char *const *CSpawn_environment(void) {
#ifdef __APPLE__
  return *_NSGetEnviron();
#else
  return environ;
#endif
}

static int prepare_files(posix_spawn_file_actions_t *files, int output, int error) {
  int failure = posix_spawn_file_actions_addopen(files, 0, "/dev/null", O_RDONLY, 0);
  if (!failure) failure = posix_spawn_file_actions_adddup2(files, output, 1);
  if (!failure) failure = posix_spawn_file_actions_adddup2(files, error, 2);
#if defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 34)
  if (!failure) failure = posix_spawn_file_actions_addclosefrom_np(files, 3);
#endif
#endif
  return failure;
}

static int prepare_attributes(posix_spawnattr_t *attributes) {
  short flags = POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
#ifdef POSIX_SPAWN_CLOEXEC_DEFAULT
  flags |= POSIX_SPAWN_CLOEXEC_DEFAULT;
#endif
  static const int defaults[] = {SIGPIPE, SIGXFSZ, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD};
  sigset_t signals, none;
  sigemptyset(&none);
  sigemptyset(&signals);
  for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++) sigaddset(&signals, defaults[i]);
  int failure = posix_spawnattr_setflags(attributes, flags);
  if (!failure) failure = posix_spawnattr_setsigdefault(attributes, &signals);
  if (!failure) failure = posix_spawnattr_setsigmask(attributes, &none);
  return failure;
}

int CSpawn_start(
    pid_t *process, char *const argv[], char *const environment[], int output, int error) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  int failure = posix_spawn_file_actions_init(&files);
  if (failure) return failure;
  failure = posix_spawnattr_init(&attributes);
  if (!failure) {
    failure = prepare_files(&files, output, error);
    if (!failure) failure = prepare_attributes(&attributes);
    if (!failure) failure = posix_spawnp(process, argv[0], &files, &attributes, argv, environment);
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_destroy(&files);
  return failure;
}
