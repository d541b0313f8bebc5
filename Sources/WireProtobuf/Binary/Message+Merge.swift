// Merging goes through the binary form: protobuf defines that decoding two concatenated messages
// merges them.

extension Message {
  /// Merges another message into this one by protobuf's rules.
  ///
  /// - Fields that are set in `other` replace the fields here. A field without presence counts as
  ///   set unless it has its default value.
  /// - Sub-messages are merged; repeated and unknown fields are appended; maps are merged by key.
  /// - A oneof member replaces a different member. If both are the same message field, they are
  ///   merged.
  public mutating func merge(from other: Self) {
    merge(written: other.serializedBytes(), isNew: false)
  }

  /// Removes the unknown fields of this message and of all messages in it.
  ///
  /// The packed bytes of an ``AnyMessage`` are left unchanged.
  public mutating func discardUnknownFields() {
    var known = Self()
    known.merge(written: serializedBytes(), options: DecodingOptions(discardUnknownFields: true))
    self = known
  }

  /// Merges bytes that a message of this type wrote.
  ///
  /// The decoding limits do not apply, because the message was already in memory.
  ///
  /// - Parameter isNew: whether no field of this message is set yet.
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
        // Not reachable by input: the bytes were just written, strings are valid UTF-8, unknown fields
        // were decoded before, and no limit applies. Only a defect of generated code gets here.
        preconditionFailure("a message wrote bytes that it cannot read: \(error)")
      }
    }
  }
}
