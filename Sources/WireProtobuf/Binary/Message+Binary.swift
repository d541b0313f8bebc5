extension Message {
  /// Decodes the binary form.
  ///
  /// - Throws: ``DecodingError`` with the path of the field and the offset of the byte.
  @inlinable
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
  @inlinable
  public init(
    serializedBytes bytes: RawSpan, options: DecodingOptions = DecodingOptions()
  ) throws(DecodingError) {
    var unknownFieldCount = 0
    self.init()
    try merge(serializedBytes: bytes, options: options, unknownFieldCount: &unknownFieldCount)
  }

  /// Decodes the binary form and adds to a count how many fields the types did not know,
  /// at every depth.
  @inlinable
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
  @inlinable
  public mutating func merge(
    serializedBytes bytes: RawSpan, options: DecodingOptions = DecodingOptions(),
    unknownFieldCount: inout Int
  ) throws(DecodingError) {
    try unsafe bytes.withUnsafeBytes { input throws(DecodingError) in
      unknownFieldCount += try unsafe decode(input, options).unknownFieldCount
    }
  }

  /// - Returns: the reader at the end of the input, with what it counted.
  @inlinable @inline(__always)
  mutating func decode(
    _ input: UnsafeRawBufferPointer, _ options: DecodingOptions
  ) throws(DecodingError) -> WireReader {
    var reader = unsafe WireReader(input, options: options)
    do throws(DecodingError.Reason) {
      try read(from: &reader)
    } catch {
      throw unsafe reader.error(error, in: input, of: Self.self)
    }
    return reader
  }

  /// Encodes the binary form: known fields by number, maps by key, then the unknown fields.
  @inlinable
  public func serializedBytes() -> [UInt8] {
    unsafe withUnsafeTemporaryAllocation(of: Int.self, capacity: 128) { scratch in
      var counter = unsafe SizeCounter(scratch)
      defer { counter.deallocate() }
      measure(with: &counter)
      return unsafe [UInt8](unsafeUninitializedCapacity: counter.total) { output, count in
        count = counter.total
        var writer = unsafe WireWriter(
          UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(output)[..<count]),
          sizes: counter.sizes)
        write(to: &writer)
        precondition(writer.isFull, "a message wrote less than it measured")
      }
    }
  }
}
