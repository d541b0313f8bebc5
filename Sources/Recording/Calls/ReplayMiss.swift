package import WireGRPC

/// The part of a request that a replayed recording or script does not contain. The trailers of the refusal name
/// it.
package enum ReplayMiss: String {
  case method
  /// A resource whose name is only `providers/PROJECT`.
  case provider
  case resource
  /// The resource is known, but no request has these fields.
  case request

  package static let trailer = "tripwire-replay-miss"

  /// Returns nil if the server of the call did not miss anything.
  package init?(_ error: CallError) {
    guard let text = error.trailers[Self.trailer] else { return nil }
    self.init(rawValue: text)
  }
}
