#ifndef C_WIRE_SHIMS_NGHTTP2_H
#define C_WIRE_SHIMS_NGHTTP2_H

#include <nghttp2/nghttp2.h>

// Came with 1.61 and as a security fix to some packages of older versions, so neither the
// header nor the library can be asked by version: bind it weakly and call it if it is there.
#ifdef __APPLE__
__attribute__((weak_import))
#else
__attribute__((weak))
#endif
void nghttp2_option_set_max_continuations(nghttp2_option *option, size_t count);

static inline void CWireShims_nghttp2_option_set_max_continuations(
    nghttp2_option *option, size_t count) {
  if (nghttp2_option_set_max_continuations) {
    nghttp2_option_set_max_continuations(option, count);
  }
}

#endif
