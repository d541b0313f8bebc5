#ifndef C_WIRE_SHIMS_NGHTTP2_H
#define C_WIRE_SHIMS_NGHTTP2_H

#include <nghttp2/nghttp2.h>

#endif
