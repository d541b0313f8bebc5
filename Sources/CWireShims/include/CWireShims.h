// Macros that Swift cannot import, as inline functions with a prefix.
#ifndef C_WIRE_SHIMS_H
#define C_WIRE_SHIMS_H

#include "CWireShimsNghttp2.h"
#include "CWireShimsOpenSSL.h"

#endif
