/// The `user-agent` of every call (gRPC PROTOCOL-HTTP2, User Agents).
package enum UserAgent {
  /// The version of this library, also in `x-goog-api-client` and `--version`.
  package static let version = "0.1.0"

  package static func text(prefix: String?) -> String {
    let own = "grpc-swift-tripwire/\(version) (nghttp2)"
    return prefix.map { "\($0) \(own)" } ?? own
  }
}
