import WireProtobuf

/// Whether a worker is drained: the value that `tripwire relay drain` stores for it.
struct DrainValue: Sendable {
  let isDrained: Bool

  init(_ isDrained: Bool) {
    self.isDrained = isDrained
  }

  /// Returns nil for a value that is not one.
  init?(_ bytes: [UInt8]) {
    guard let fields = try? Struct(jsonUTF8Bytes: bytes), let isDrained = fields.bool("drained")
    else { return nil }
    self.isDrained = isDrained
  }

  var json: String { JSONWriter.object { $0.member("drained", isDrained) } }
}
