import CEvent

/// Bytes at a fixed place, which the buffers of many connections refer to.
@safe final class SharedBytes {
  private let buffer: UnsafeMutableRawBufferPointer

  init(_ bytes: [UInt8]) {
    unsafe buffer = .allocate(byteCount: bytes.count, alignment: 1)
    unsafe buffer.copyBytes(from: bytes)
  }

  deinit { unsafe buffer.deallocate() }

  var count: Int { unsafe buffer.count }

  /// Appends a reference to the bytes, which live until libevent has sent or dropped them.
  func append(to output: OpaquePointer) {
    guard count > 0 else { return }
    let retained = unsafe Unmanaged.passRetained(self)
    let status = unsafe evbuffer_add_reference(
      output, buffer.baseAddress, buffer.count,
      { _, _, bytes in
        guard let bytes = unsafe bytes else { return }
        unsafe Unmanaged<SharedBytes>.fromOpaque(bytes).release()
      }, retained.toOpaque())
    if status != 0 { unsafe retained.release() }
  }
}
