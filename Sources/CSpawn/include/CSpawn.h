#ifndef C_SPAWN_H
#define C_SPAWN_H

#include <sys/types.h>

/// Starts the program that argv[0] names, found as a shell would, in a session of its own: it leads a
/// process group and has no terminal. It reads nothing, writes to the two descriptors, inherits no
/// other, and has the signals as they are by default. Returns 0 or an error number.
int CSpawn_start(
    pid_t *process, char *const argv[], char *const environment[], int output, int error);

/// The variables of this process.
char *const *CSpawn_environment(void);

#endif
