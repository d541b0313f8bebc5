#include <expat.h>
#include <stdint.h>

// The offset in bytes of the present event. Since 2.8, expat deprecates the first function, which counts in long.
static inline int64_t byte_index(XML_Parser parser) {
#if XML_MAJOR_VERSION == 2 && XML_MINOR_VERSION < 8
  return XML_GetCurrentByteIndex(parser);
#else
  return XML_GetCurrentByteIndex64(parser);
#endif
}
