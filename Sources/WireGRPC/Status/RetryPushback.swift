package import WireHTTP2

/// What a server says about trying a failed call again, in `grpc-retry-pushback-ms` (gRFC A6).
public enum RetryPushback: Sendable, Hashable {
  /// Again after just this time.
  case after(Duration)
  /// Not again. So is meant what is negative, what is no number, and what comes more than once.
  case never
}

extension RetryPushback {
  /// Nil when the fields say nothing about it.
  package init?(_ fields: [HeaderField]) {
    let values = fields.lazy.filter { $0.name == "grpc-retry-pushback-ms" }.map(\.value)
    guard let first = values.first else { return nil }
    guard values.count == 1, let milliseconds = Int32(first), milliseconds >= 0 else {
      self = .never
      return
    }
    self = .after(.milliseconds(milliseconds))
  }
}
