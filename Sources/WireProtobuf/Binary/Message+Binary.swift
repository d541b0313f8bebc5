extension Message {
  /// Decodes the binary form.
  ///
  /// - Throws: ``DecodingError`` with the path of the field and the offset of the byte.
  public init(
    serializedBytes bytes: [UInt8], options: DecodingOptions = DecodingOptions()
  ) throws(DecodingError) {
    var unknownFieldCount = 0
    try self.init(
      serializedBytes: bytes, options: options, unknownFieldCount: &unknownFieldCount)
  }

  /// Decodes the binary form out of any collection of bytes: `Data`, a slice of an array.
  ///
  /// Bytes that lie in one piece of memory are read where they are, others are copied first.
  @inlinable
  public init(
    serializedBytes bytes: some Collection<UInt8>, options: DecodingOptions = DecodingOptions()
  ) throws(DecodingError) {
    self.init()
    try merge(serializedBytes: bytes, options: options)
  }

  /// Decodes the binary form out of memory that someone else owns.
  public init(
    serializedBytes bytes: RawSpan, options: DecodingOptions = DecodingOptions()
  ) throws(DecodingError) {
    var unknownFieldCount = 0
    self.init()
    try merge(serializedBytes: bytes, options: options, unknownFieldCount: &unknownFieldCount)
  }

  /// Decodes the binary form and adds to a count how many fields the types did not know,
  /// at every depth.
  public init(
    serializedBytes bytes: [UInt8], options: DecodingOptions = DecodingOptions(),
    unknownFieldCount: inout Int
  ) throws(DecodingError) {
    self.init()
    try unsafe merge(
      serializedBytes: bytes.span.bytes, options: options, unknownFieldCount: &unknownFieldCount)
  }

  /// Decodes the binary form and merges it into this message, as ``merge(from:)`` does.
  ///
  /// When it throws, some fields may have been merged.
  @inlinable
  public mutating func merge(
    serializedBytes bytes: some Collection<UInt8>, options: DecodingOptions = DecodingOptions()
  ) throws(DecodingError) {
    var unknownFieldCount = 0
    let outcome = bytes.withContiguousStorageIfAvailable { bytes in
      Result { () throws(DecodingError) in
        try unsafe merge(
          serializedBytes: RawSpan(_unsafeElements: bytes), options: options,
          unknownFieldCount: &unknownFieldCount)
      }
    }
    if let outcome { return try outcome.get() }
    try unsafe merge(
      serializedBytes: Array(bytes).span.bytes, options: options,
      unknownFieldCount: &unknownFieldCount)
  }

  /// Decodes the binary form and merges it into this message, as ``merge(from:)`` does.
  ///
  /// When it throws, some fields may have been merged.
  ///
  /// - Parameter unknownFieldCount: is increased by how many fields the types did not know.
  public mutating func merge(
    serializedBytes bytes: RawSpan, options: DecodingOptions = DecodingOptions(),
    unknownFieldCount: inout Int
  ) throws(DecodingError) {
    try unsafe bytes.withUnsafeBytes { input throws(DecodingError) in
      var reader = unsafe WireReader(input, options: options)
      try unsafe decode(input, with: &reader)
      unknownFieldCount += reader.unknownFieldCount
    }
  }

  /// Reads fields up to the end of the input, on which the reader was set.
  mutating func decode(
    _ input: UnsafeRawBufferPointer, with reader: inout WireReader
  ) throws(DecodingError) {
    do throws(DecodingError.Reason) {
      try read(from: &reader)
    } catch {
      throw unsafe reader.error(error, in: input, of: Self.self)
    }
  }

  /// Encodes the binary form: known fields by number, maps by key, then the unknown fields.
  public func serializedBytes() -> [UInt8] {
    // To write a message that fits costs less than to find out its size first.
    if let bytes = serializedBytes(upTo: 1_024) ?? serializedBytes(upTo: 16_384) { return bytes }
    var counter = SizeCounter()
    measure(with: &counter)
    return unsafe [UInt8](unsafeUninitializedCapacity: counter.total) { output, size in
      guard let written = unsafe write(to: UnsafeMutableRawBufferPointer(output)) else {
        preconditionFailure("a message wrote more than it measured")
      }
      size = written
    }
  }

  /// Encodes by way of scratch memory; nil when the message does not fit into it.
  @inline(__always)
  private func serializedBytes(upTo capacity: Int) -> [UInt8]? {
    unsafe withUnsafeTemporaryAllocation(byteCount: capacity, alignment: 16) { scratch in
      guard let size = unsafe write(to: scratch) else { return nil }
      return unsafe [UInt8](UnsafeRawBufferPointer(rebasing: scratch[..<size]))
    }
  }

  /// Writes the binary form to the beginning of some memory.
  ///
  /// - Returns: its size, nil when it does not fit.
  private func write(to output: UnsafeMutableRawBufferPointer) -> Int? {
    var writer = unsafe WireWriter(output)
    let start = unsafe writer.cursor
    do {
      try write(to: &writer)
    } catch {
      return nil
    }
    return unsafe writer.cursor - start
  }
}
