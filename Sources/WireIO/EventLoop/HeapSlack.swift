/// Has the C library keep some free memory at hand.
enum HeapSlack {
  /// Read it to have it done, once.
  ///
  /// glibc gives the end of its heap back to the system whenever 128 KiB of it are free, and asks for
  /// it again page by page: calls with answers of some KiB take a quarter more time. After a larger
  /// block was freed it waits until there is twice as much (mallopt(3), M_TRIM_THRESHOLD), unless
  /// the program has set a threshold of its own.
  static let isKept: Bool = {
    let block = UnsafeMutableRawPointer.allocate(byteCount: 2 << 20, alignment: 16)
    unsafe block.deallocate()
    return true
  }()
}
