import WireProtobuf

/// The value of a wanted resource in its bucket: for how long, counted from the time of the message.
package enum WantValue: Sendable, Hashable {
  case pinned
  case lasting(Duration)

  var json: String {
    switch self {
    case .pinned: "{\"pin\":true}"
    case .lasting(let duration): "{\"forMs\":\(Int64(duration / .milliseconds(1)))}"
    }
  }

  /// Returns nil for a value that is not one.
  init?(_ bytes: [UInt8]) {
    guard let fields = try? Struct(jsonUTF8Bytes: bytes) else { return nil }
    if fields.bool("pin") == true {
      self = .pinned
    } else if let milliseconds = fields.number("forMs"), milliseconds < 1 << 53 {
      self = .lasting(.milliseconds(Int64(milliseconds)))
    } else {
      return nil
    }
  }

  /// The seconds since 1970 at which a want that was stored at a time ends; nil for never.
  func end(storedAt time: Double) -> Double? {
    switch self {
    case .pinned: nil
    case .lasting(let duration): time + duration / .seconds(1)
    }
  }
}
