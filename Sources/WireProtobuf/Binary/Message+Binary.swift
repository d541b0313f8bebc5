extension Message {
  /// Decodes the binary form.
  ///
  /// - Throws: ``DecodingError`` with the path of the field and the offset of the byte.
  public init(
    serializedBytes bytes: [UInt8], options: DecodingOptions = DecodingOptions()
  ) throws(DecodingError) {
    self.init()
    _ = try unsafe decode(bytes.span.bytes, options, isNew: true)
  }

  /// Decodes the binary form from any collection of bytes, such as `Data` or an array slice.
  ///
  /// Contiguous storage is read in place; other collections are copied first.
  ///
  /// - Throws: ``DecodingError`` with the path of the field and the offset of the byte.
  @inlinable
  public init(
    serializedBytes bytes: some Collection<UInt8>, options: DecodingOptions = DecodingOptions()
  ) throws(DecodingError) {
    self.init()
    _ = try decode(bytes, options, isNew: true)
  }

  /// Decodes the binary form from memory that the caller owns.
  ///
  /// - Throws: ``DecodingError`` with the path of the field and the offset of the byte.
  public init(
    serializedBytes bytes: RawSpan, options: DecodingOptions = DecodingOptions()
  ) throws(DecodingError) {
    self.init()
    _ = try decode(bytes, options, isNew: true)
  }

  /// Decodes the binary form and counts the unknown fields.
  ///
  /// - Parameters:
  ///   - bytes: the binary form.
  ///   - options: the limits of the decoder.
  ///   - unknownFieldCount: increased by the number of unknown fields at every depth.
  /// - Throws: ``DecodingError`` with the path of the field and the offset of the byte.
  public init(
    serializedBytes bytes: [UInt8], options: DecodingOptions = DecodingOptions(),
    unknownFieldCount: inout Int
  ) throws(DecodingError) {
    self.init()
    unknownFieldCount += try unsafe decode(bytes.span.bytes, options, isNew: true)
  }

  /// Decodes the binary form and merges it into this message, as ``merge(from:)`` does.
  ///
  /// If decoding throws, some fields may already have been merged.
  ///
  /// - Throws: ``DecodingError`` with the path of the field and the offset of the byte.
  @inlinable
  public mutating func merge(
    serializedBytes bytes: some Collection<UInt8>, options: DecodingOptions = DecodingOptions()
  ) throws(DecodingError) {
    _ = try decode(bytes, options, isNew: false)
  }

  /// Decodes the binary form, merges it into this message as ``merge(from:)`` does, and counts the
  /// unknown fields.
  ///
  /// If decoding throws, some fields may already have been merged.
  ///
  /// - Parameters:
  ///   - bytes: the binary form.
  ///   - options: the limits of the decoder.
  ///   - unknownFieldCount: increased by the number of unknown fields at every depth.
  /// - Throws: ``DecodingError`` with the path of the field and the offset of the byte.
  public mutating func merge(
    serializedBytes bytes: RawSpan, options: DecodingOptions = DecodingOptions(),
    unknownFieldCount: inout Int
  ) throws(DecodingError) {
    unknownFieldCount += try decode(bytes, options, isNew: false)
  }

  @inlinable
  mutating func decode(
    _ bytes: some Collection<UInt8>, _ options: DecodingOptions, isNew: Bool
  ) throws(DecodingError) -> Int {
    let outcome = bytes.withContiguousStorageIfAvailable { bytes in
      Result { () throws(DecodingError) in
        try unsafe decode(RawSpan(_unsafeElements: bytes), options, isNew: isNew)
      }
    }
    if let outcome { return try outcome.get() }
    return try unsafe decode(Array(bytes).span.bytes, options, isNew: isNew)
  }

  /// - Parameter isNew: whether no field of this message is set yet.
  /// - Returns: the number of unknown fields at every depth.
  @usableFromInline
  mutating func decode(
    _ bytes: RawSpan, _ options: DecodingOptions, isNew: Bool
  ) throws(DecodingError) -> Int {
    try unsafe bytes.withUnsafeBytes { input throws(DecodingError) in
      var reader = unsafe WireReader(input, options: options)
      reader.followsLeaves = !isNew
      try unsafe decode(input, with: &reader)
      return reader.unknownFieldCount
    }
  }

  /// Reads fields to the end of the input. `reader` must be at its start.
  mutating func decode(
    _ input: UnsafeRawBufferPointer, with reader: inout WireReader
  ) throws(DecodingError) {
    do throws(DecodingError.Reason) {
      try read(from: &reader)
    } catch {
      throw unsafe reader.error(error, in: input, of: GeneratedType(Self.self))
    }
  }

  /// Encodes the binary form: known fields by number, map entries by key, then the unknown fields.
  public func serializedBytes() -> [UInt8] {
    // Writing a message that fits is cheaper than measuring it first.
    if let bytes = serializedBytes(upTo: 1_024) ?? serializedBytes(upTo: 16_384) { return bytes }
    var counter = SizeCounter()
    measure(with: &counter)
    return counter.bytes { writer throws(WireWriter.Full) in try write(to: &writer) }
  }

  /// Encodes into temporary stack memory; nil if the message does not fit.
  @inline(__always)
  private func serializedBytes(upTo capacity: Int) -> [UInt8]? {
    unsafe withUnsafeTemporaryAllocation(byteCount: capacity, alignment: 16) { scratch in
      guard let size = unsafe write(to: scratch) else { return nil }
      return unsafe [UInt8](UnsafeRawBufferPointer(rebasing: scratch[..<size]))
    }
  }

  /// Writes the binary form to the start of `output`.
  ///
  /// - Returns: the size in bytes, or nil if it does not fit.
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
