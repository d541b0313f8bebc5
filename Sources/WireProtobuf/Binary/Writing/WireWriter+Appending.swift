// Writing a message field by field, without a value of its type.

extension WireWriter {
  /// Writes a sub-message whose fields a function writes.
  ///
  /// - Parameter size: the expected size, in bytes. The sub-message is moved if its length takes
  ///   another number of bytes.
  @inlinable
  package mutating func message(
    _ number: Int, size: Int = 0, _ fields: (inout WireWriter) throws(Full) -> Void
  ) throws(Full) {
    try makeRoom()
    put(tag: number, .lengthDelimited)
    let message = open(varintSize(UInt64(truncatingIfNeeded: size)))
    try fields(&self)
    try close(message)
  }

  /// Writes fields after their size, a big-endian 32-bit integer.
  package mutating func framed(
    _ fields: (inout WireWriter) throws(Full) -> Void
  ) throws(Full) {
    try makeRoom()
    let prefix = unsafe advance(4)
    try fields(&self)
    let size = unsafe UInt32(truncatingIfNeeded: cursor - prefix - 4)
    unsafe prefix.storeBytes(of: size.bigEndian, as: UInt32.self)
  }

  /// Writes bytes or the UTF-8 of a string, unless they are empty, after a function has changed them in
  /// place.
  @inlinable
  package mutating func bytes(
    _ number: Int, _ bytes: some Collection<UInt8>,
    _ change: (UnsafeMutableRawBufferPointer) -> Void
  ) throws(Full) {
    let count = bytes.count
    guard count > 0 else { return }
    try makeRoom(count)
    put(tag: number, .lengthDelimited)
    put(varint: UInt64(truncatingIfNeeded: count))
    let output = unsafe UnsafeMutableRawBufferPointer(start: advance(count), count: count)
    unsafe output.copyBytes(from: bytes)
    unsafe change(output)
  }
}

extension [UInt8] {
  /// Appends a message whose fields a function writes.
  ///
  /// - Parameters:
  ///   - size: the expected size of the message, in bytes.
  ///   - fields: called again with more room when the message is larger.
  package mutating func append(
    messageOf size: Int, _ fields: (inout WireWriter) throws(WireWriter.Full) -> Void
  ) {
    var room = size + WireWriter.fieldRoom
    while !appendMessage(upTo: room, fields) { room *= 2 }
  }

  /// Appends a field with a sub-message in binary form.
  package mutating func append(_ number: Int, message bytes: [UInt8]) {
    append(messageOf: bytes.count + 16) { writer throws(WireWriter.Full) in
      try writer.message(number, size: bytes.count) { writer throws(WireWriter.Full) in
        try writer.put(bytes: bytes)
      }
    }
  }

  private mutating func appendMessage(
    upTo room: Int, _ fields: (inout WireWriter) throws(WireWriter.Full) -> Void
  ) -> Bool {
    var isWritten = false
    append(addingCapacity: room) { output in
      unsafe output.withUnsafeMutableBufferPointer { memory, count in
        var writer = unsafe WireWriter(UnsafeMutableRawBufferPointer(memory))
        let start = unsafe writer.cursor
        guard (try? fields(&writer)) != nil else { return }
        count = unsafe writer.cursor - start
        isWritten = true
      }
    }
    return isWritten
  }
}
