#ifndef C_WIRE_SHIMS_NGHTTP2_H
#define C_WIRE_SHIMS_NGHTTP2_H

#include <nghttp2/nghttp2.h>

// Added in 1.61 and backported as a security fix by some distributions, so a version check is not
// reliable: the symbol is linked weakly and called if it exists.
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
