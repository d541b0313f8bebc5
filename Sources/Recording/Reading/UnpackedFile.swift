import CZlib

/// Reads the bytes of a file in chunks, decompressed if it is a gzip file (RFC 1952).
@safe final class UnpackedFile {
  /// The maximum size of a decompressed chunk in bytes, regardless of the compression ratio.
  private static let chunkSize = 1 << 16
  private static let magic: [UInt8] = [0x1f, 0x8b]

  private let path: String
  private let file: FollowedFile
  /// The bytes that were read, and the offset of the first unprocessed one.
  private var input: [UInt8]
  private var position = 0
  /// The offset of `input` in the file.
  private var offset = 0
  private var hasStarted = false
  /// Nil for a file that is not compressed. zlib requires a stable address.
  private var stream: UnsafeMutablePointer<z_stream>?
  /// Whether the bytes that were read are completely decompressed.
  private var isInputDecoded = true
  /// Whether one gzip member has ended and no other has started.
  private var isBetweenMembers = false

  init(_ source: BinaryLogSource) {
    path = source.path
    file = FollowedFile(source)
    input = source.beginning
  }

  deinit {
    guard let stream = unsafe stream else { return }
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// A message about the place in the file where decompression stopped before the end, if it did.
  private(set) var damage: String?

  /// Whether the file is compressed; false until the first bytes are read.
  var isPacked: Bool { unsafe stream != nil }

  /// Whether the next bytes have not been written yet.
  var isWaiting: Bool {
    guard isInputDecoded, position == input.count else { return false }
    guard let bytes = file.ready() else { return false }
    replaceInput(bytes)
    return input.isEmpty
  }

  /// Returns the next bytes; empty at the end.
  ///
  /// - Throws: ``BinaryLogError`` if the file cannot be read, or after its deadline. See ``damage`` for
  ///   invalid gzip data.
  func next() throws(BinaryLogError) -> [UInt8] {
    // A read of an endless file never waits, and a small gzip file may have a long content.
    try file.checkDeadline()
    if !hasStarted { try start() }
    if let stream = unsafe stream { return try unsafe unpack(stream) }
    defer { input = [] }
    return input.isEmpty ? try file.next() : input
  }

  private func start() throws(BinaryLogError) {
    hasStarted = true
    while input.count < Self.magic.count {
      let more = try file.next()
      if more.isEmpty { return }
      input += more
    }
    guard input.starts(with: Self.magic) else { return }
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    let size = unsafe Int32(MemoryLayout<z_stream>.size)
    // A window of 15 bits, plus 16 for the gzip format.
    guard unsafe inflateInit2_(stream, 15 + 16, ZLIB_VERSION, size) == Z_OK else {
      unsafe stream.deallocate()
      throw BinaryLogError(path: path, reason: "zlib cannot be initialized")
    }
    unsafe self.stream = unsafe stream
  }

  private func unpack(_ stream: UnsafeMutablePointer<z_stream>) throws(BinaryLogError) -> [UInt8] {
    while true {
      if isInputDecoded, position == input.count {
        replaceInput(try file.next())
        if input.isEmpty {
          if !isBetweenMembers { report("unexpected end of file") }
          return []
        }
      }
      if isBetweenMembers {
        guard
          input[position...].prefix(Self.magic.count).elementsEqual(
            Self.magic.prefix(input.count - position))
        else {
          // Tape and block devices pad with zeros.
          if input[position...].contains(where: { $0 != 0 }) {
            report("unexpected data after the end")
          }
          return end()
        }
        unsafe inflateReset(stream)
      }
      isBetweenMembers = false
      var status = Z_OK
      let output = unsafe [UInt8](unsafeUninitializedCapacity: Self.chunkSize) { buffer, count in
        unsafe input.withUnsafeBufferPointer { bytes in
          // zlib does not write to the input.
          unsafe stream.pointee.next_in = UnsafeMutablePointer(
            mutating: bytes.baseAddress.map { unsafe $0 + position })
          unsafe stream.pointee.avail_in = UInt32(input.count - position)
          unsafe stream.pointee.next_out = buffer.baseAddress
          unsafe stream.pointee.avail_out = UInt32(Self.chunkSize)
          unsafe status = inflate(stream, Z_NO_FLUSH)
        }
        count = unsafe Self.chunkSize - Int(stream.pointee.avail_out)
      }
      position = unsafe input.count - Int(stream.pointee.avail_in)
      isInputDecoded = output.count < Self.chunkSize
      switch status {
      case Z_STREAM_END: (isBetweenMembers, isInputDecoded) = (true, true)
      // Without input there may be no progress.
      case Z_OK, Z_BUF_ERROR: break
      default:
        report(unsafe stream.pointee.msg.map { unsafe String(cString: $0) } ?? "invalid data")
        // The next call returns the same error.
        isInputDecoded = false
        if output.isEmpty { return end() }
      }
      if !output.isEmpty { return output }
    }
  }

  private func replaceInput(_ bytes: [UInt8]) {
    offset += input.count
    (input, position) = (bytes, 0)
  }

  private func report(_ reason: String) {
    guard damage == nil else { return }
    damage = "the gzip data is damaged at byte \(offset + position): \(reason)"
  }

  private func end() -> [UInt8] {
    replaceInput([])
    (isInputDecoded, isBetweenMembers) = (true, true)
    return []
  }
}
