import WireProtobuf

/// The key-value buckets of the relay. A bucket is a stream with a subject for each key.
extension JetStream {
  /// Returns the last message of a key, which may be the marker of its removal; nil if there is none.
  func entry(
    _ key: String, in bucket: RelayNames.Bucket
  ) async throws(NATSError) -> StoredMessage? {
    try await last(bucket.subject(key), in: bucket.stream)
  }

  /// Stores a value and returns the number of its message.
  ///
  /// - Parameter expected: the number of the key's last message, 0 for none; nil for any.
  @discardableResult
  func put(
    _ json: String, for key: String, in bucket: RelayNames.Bucket, after expected: UInt64? = nil
  ) async throws(NATSError) -> UInt64 {
    try await publish(
      publicationSubject(key, in: bucket), in: bucket.stream, Array(json.utf8), after: expected)
  }

  /// Stores the marker of a removal, which notifies the readers of the bucket, and returns its number.
  func markRemoved(
    _ key: String, in bucket: RelayNames.Bucket, after expected: UInt64? = nil
  ) async throws(NATSError) -> UInt64 {
    try await publish(
      publicationSubject(key, in: bucket), in: bucket.stream, [],
      headers: ["KV-Operation": "DEL"], after: expected)
  }

  /// The subject under which a message of a bucket is published. Leaf nodes pass on no subjects of `$KV` to another
  /// domain, which therefore has them below its API, too.
  private func publicationSubject(_ key: String, in bucket: RelayNames.Bucket) -> String {
    let subject = bucket.subject(key)
    let options = client.options
    return options.domain == nil ? subject : "\(options.apiPrefix).\(subject)"
  }

  /// Removes the messages of a key up to and including a number.
  func purge(
    _ key: String, in bucket: RelayNames.Bucket, through sequence: UInt64
  ) async throws(NATSError) {
    let request = JSONWriter.object { json in
      json.member("filter", bucket.subject(key))
      json.member("seq", sequence + 1)
    }
    _ = try await call(
      "STREAM.PURGE.\(bucket.stream)", request, action: "remove a message from NATS")
  }
}

extension NATSMessage {
  /// Whether it marks that the key of its bucket was removed.
  var isRemoval: Bool { headers["KV-Operation"] != nil }

  /// The lifetime that is the value of a key; nil if it was removed, or the value is another one.
  var lifetime: EntryLifetime? { isRemoval ? nil : EntryLifetime(data) }
}
