#include "CBuildInfo.h"

const char *CBuildInfo_commit(void) { return TRIPWIRE_COMMIT; }

const char *CBuildInfo_commitDate(void) { return TRIPWIRE_COMMIT_DATE; }
