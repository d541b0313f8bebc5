import CZlib

/// The bytes of a file, unpacked where gzip made it (RFC 1952), some at a time.
@safe final class UnpackedFile {
  /// How many bytes are unpacked at a time, whatever they were packed into.
  private static let chunkSize = 1 << 16
  private static let magic: [UInt8] = [0x1f, 0x8b]

  private let path: String
  private let file: FollowedFile
  /// What was read, and how much of it is dealt with.
  private var input: [UInt8]
  private var position = 0
  private var isBegun = false
  /// Nil for a file that is not packed. zlib wants it to stay where it is.
  private var stream: UnsafeMutablePointer<z_stream>?
  /// Whether there is no more to unpack in what was read.
  private var isDrained = true
  /// Whether one of the parts that such a file may have has ended, and no other begun.
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

  /// Why not all of it could be unpacked, in words, at the end of what could.
  private(set) var defect: String?

  /// Whether it is packed, as far as it is known: from the first bytes on.
  var isPacked: Bool { unsafe stream != nil }

  /// Whether the next bytes are yet to be written.
  var isWaiting: Bool {
    guard isDrained, position == input.count else { return false }
    guard let bytes = file.ready() else { return false }
    (input, position) = (bytes, 0)
    return input.isEmpty
  }

  /// The next bytes; empty at the end.
  ///
  /// Throws when the file cannot be read, and after its deadline. See ``defect``.
  func next() throws(BinaryLogError) -> [UInt8] {
    // Reading never waits for a file without end, and a small packed file may have a long content.
    try file.checkDeadline()
    if !isBegun { try begin() }
    if let stream = unsafe stream { return try unsafe unpack(stream) }
    defer { input = [] }
    return input.isEmpty ? try file.next() : input
  }

  private func begin() throws(BinaryLogError) {
    isBegun = true
    while input.count < Self.magic.count {
      let more = try file.next()
      if more.isEmpty { return }
      input += more
    }
    guard input.starts(with: Self.magic) else { return }
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    let size = unsafe Int32(MemoryLayout<z_stream>.size)
    // 15 bits of window, and 16 for the form of gzip.
    guard unsafe inflateInit2_(stream, 15 + 16, ZLIB_VERSION, size) == Z_OK else {
      unsafe stream.deallocate()
      throw BinaryLogError(path: path, reason: "zlib cannot be initialized")
    }
    unsafe self.stream = unsafe stream
  }

  private func unpack(_ stream: UnsafeMutablePointer<z_stream>) throws(BinaryLogError) -> [UInt8] {
    while true {
      if isDrained, position == input.count {
        (input, position) = (try file.next(), 0)
        if input.isEmpty {
          if !isBetweenMembers { defect = defect ?? "unexpected end of file" }
          return []
        }
      }
      if isBetweenMembers {
        guard
          input[position...].prefix(Self.magic.count).elementsEqual(
            Self.magic.prefix(input.count - position))
        else {
          // Tapes and blocks are filled up with zeros.
          if input[position...].contains(where: { $0 != 0 }) {
            defect = "unexpected data after the end"
          }
          return end()
        }
        unsafe inflateReset(stream)
      }
      isBetweenMembers = false
      var status = Z_OK
      let output = unsafe [UInt8](unsafeUninitializedCapacity: Self.chunkSize) { buffer, count in
        unsafe input.withUnsafeBufferPointer { bytes in
          // zlib only reads from it.
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
      isDrained = output.count < Self.chunkSize
      switch status {
      case Z_STREAM_END: (isBetweenMembers, isDrained) = (true, true)
      // Without input there may be nothing to do.
      case Z_OK, Z_BUF_ERROR: break
      default:
        defect = unsafe stream.pointee.msg.map { unsafe String(cString: $0) } ?? "invalid data"
        // What it says next time, too.
        isDrained = false
        if output.isEmpty { return end() }
      }
      if !output.isEmpty { return output }
    }
  }

  private func end() -> [UInt8] {
    (input, position, isDrained, isBetweenMembers) = ([], 0, true, true)
    return []
  }
}
