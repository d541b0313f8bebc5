/// Makes the C library keep some freed memory (docs/decisions/calls/heap-slack.md).
enum HeapSlack {
  /// Set up on first access; always true.
  ///
  /// glibc returns the end of its heap to the system whenever 128 KiB of it are free, and then gets it
  /// back page by page: calls with responses of some KiB take a quarter more time. Freeing a larger
  /// block raises the threshold to twice its size (mallopt(3), M_TRIM_THRESHOLD), unless the program
  /// has set one.
  static let isKept: Bool = {
    let block = UnsafeMutableRawPointer.allocate(byteCount: 2 << 20, alignment: 16)
    unsafe block.deallocate()
    return true
  }()
}
