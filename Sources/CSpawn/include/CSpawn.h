#ifndef C_SPAWN_H
#define C_SPAWN_H

#include <sys/types.h>

/// Starts the program argv[0], searched in PATH, in a new session without a terminal. The process
/// reads /dev/null, writes to the two descriptors, inherits no other descriptor and has the default
/// signal handlers and mask. Returns 0 or an error number.
int CSpawn_start(
    pid_t *process, char *const argv[], char *const environment[], int output, int error);

/// The environment of this process.
char *const *CSpawn_environment(void);

#endif
