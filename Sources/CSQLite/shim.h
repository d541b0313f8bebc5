#include <sqlite3.h>

// Swift cannot import the macro, which casts -1 to a function pointer.
static inline sqlite3_destructor_type sqlite_transient(void) { return SQLITE_TRANSIENT; }
