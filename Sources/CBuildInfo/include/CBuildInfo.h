#ifndef C_BUILD_INFO_H
#define C_BUILD_INFO_H

/// The commit of this build; empty if `make install` did not make it.
const char *CBuildInfo_commit(void);

/// The date of the commit, as in 2026-11-23; empty if unknown.
const char *CBuildInfo_commitDate(void);

#endif
