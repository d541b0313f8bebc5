#if canImport(Glibc)
  import Glibc
#endif

/// How many bytes are allocated and not freed; nil where the C library does not tell.
func allocatedMemory() -> Int? {
  #if canImport(Glibc)
    let info = mallinfo2()
    return info.uordblks + info.hblkhd
  #else
    return nil
  #endif
}
