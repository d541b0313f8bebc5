// What takes a message apart and puts it together again goes over its binary form, which protobuf
// defines so that one message after another is the two merged.

extension Message {
  /// Merges another message into this one, by protobuf's rules: what is set there replaces what is
  /// here, sub-messages are merged, repeated and unknown fields appended, maps merged by key.
  ///
  /// A number, string or enum without presence counts as set unless it has its default. A member of
  /// a oneof replaces another member; if both are the same message, they are merged.
  public mutating func merge(from other: Self) {
    merge(written: other.serializedBytes(), isNew: false)
  }

  /// Removes the unknown fields of this message and of all messages in it, but those in the bytes
  /// of an ``AnyMessage``.
  public mutating func discardUnknownFields() {
    var known = Self()
    known.merge(written: serializedBytes(), options: DecodingOptions(discardUnknownFields: true))
    self = known
  }

  /// Merges what was written by a message of this type.
  ///
  /// The limits of decoding are for what others wrote: this was in memory already.
  ///
  /// - Parameter isNew: whether nothing is set in this message yet.
  mutating func merge(
    written bytes: [UInt8], options: DecodingOptions = DecodingOptions(), isNew: Bool = true
  ) {
    unsafe bytes.withUnsafeBytes { input in
      var reader = unsafe WireReader(input, options: options)
      reader.remainingDepth = .max
      reader.memoryBudget = .max
      reader.followsLeaves = !isNew
      do throws(DecodingError.Reason) {
        try read(from: &reader)
      } catch {
        preconditionFailure("a message wrote what it does not read: \(error)")
      }
    }
  }
}
