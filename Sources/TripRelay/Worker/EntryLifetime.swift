import WireProtobuf

/// How long an entry of a bucket is valid, counted from the time of its message. It is the value of poll requests
/// and of delays.
enum EntryLifetime: Sendable, Hashable {
  case pinned
  case lasting(Duration)

  var json: String {
    JSONWriter.object { json in
      switch self {
      case .pinned: json.member("pin", true)
      case .lasting(let duration): json.member("forMs", Int64(duration / .milliseconds(1)))
      }
    }
  }

  /// Returns nil for a value that is not one.
  init?(_ bytes: [UInt8]) {
    guard let fields = try? Struct(jsonUTF8Bytes: bytes) else { return nil }
    if fields.bool("pin") == true {
      self = .pinned
    } else if let milliseconds = fields.integer("forMs"), milliseconds < 1 << 53 {
      self = .lasting(.milliseconds(Int64(milliseconds)))
    } else {
      return nil
    }
  }

  /// The seconds since 1970 at which an entry that was stored at a time ends; nil for never.
  func end(storedAt time: Double) -> Double? {
    switch self {
    case .pinned: nil
    case .lasting(let duration): time + duration / .seconds(1)
    }
  }
}
