// The linker puts these in the place of the functions of the Swift runtime that look up names of Unicode scalars, for
// Unicode.Scalar.Properties.name and nameAlias, which the command does not use. The tables would take 557 kB
// (docs/decisions/build/release-linking.md).
#include <stdint.h>

// Returns the length of the name, which is 0 without one.
intptr_t __wrap__swift_stdlib_getScalarName(uint32_t scalar, uint8_t *buffer, intptr_t capacity) {
  (void)scalar, (void)buffer, (void)capacity;
  return 0;
}

const char *__wrap__swift_stdlib_getNameAlias(uint32_t scalar) {
  (void)scalar;
  return 0;
}
