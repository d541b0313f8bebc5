// The C library of the platform, under one name. Every other file imports WireSystem.
#if canImport(Darwin)
  @_exported public import Darwin
#elseif canImport(Musl)
  @_exported public import Musl
#else
  @_exported public import Glibc
#endif
