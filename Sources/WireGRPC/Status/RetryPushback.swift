import WireHTTP2

/// The server's instruction for retries, from `grpc-retry-pushback-ms` (gRFC A6).
public enum RetryPushback: Sendable, Hashable {
  /// Retry after exactly this time.
  case after(Duration)
  /// Do not retry. Negative, unparsable and repeated values all mean this.
  case never
}

extension RetryPushback {
  /// Returns nil if the fields have no `grpc-retry-pushback-ms`.
  init?(_ fields: [HeaderField]) {
    let values = fields.lazy.filter { $0.name == "grpc-retry-pushback-ms" }.map(\.value)
    guard let first = values.first else { return nil }
    guard values.count == 1, let milliseconds = Int32(first), milliseconds >= 0 else {
      self = .never
      return
    }
    self = .after(.milliseconds(milliseconds))
  }
}
