/// Why NATS did not do what was asked.
package struct NATSError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Sendable, Hashable {
    /// There is no connection at present.
    case disconnected
    /// No connection could be made.
    case unreachable
    /// The server refused the user, or its certificate is not accepted.
    case notAuthorized
    /// The user may not publish or subscribe to a subject.
    case notPermitted
    /// The server does not offer JetStream to this account.
    case noJetStream
    /// The stream or bucket does not exist.
    case noStream
    /// The stream exists, with a configuration that the relay cannot use.
    case incompatibleStream
    /// Another publisher was faster: the subject's last message is not the expected one.
    case wrongLastSequence
    /// The message is larger than the server allows.
    case tooLarge
    /// The stream or the server has no room left.
    case full
    /// There was no reply in time.
    case timeout
    case other
  }

  package let kind: Kind
  /// What failed and why: "cannot connect to nats://127.0.0.1:4222: No server available".
  package let message: String
  /// One action that helps; nil if none is known.
  package let hint: String?

  package init(_ kind: Kind, _ message: String, hint: String? = nil) {
    self.kind = kind
    self.message = message
    self.hint = hint ?? Self.hint(for: kind)
  }

  package var description: String { message }

  private static func hint(for kind: Kind) -> String? {
    switch kind {
    case .unreachable: "start nats-server with -js, or check the address in --nats"
    case .notAuthorized: "check --nats-creds, and the user in the configuration of NATS"
    case .notPermitted: "grant this permission to the user in the configuration of NATS"
    case .noJetStream: "start nats-server with -js, or enable JetStream for the account"
    case .noStream: "start a worker, which creates the streams: tripwire relay work"
    case .incompatibleStream: "delete the stream, so that a worker creates it again"
    case .tooLarge: "raise max_payload in the configuration of NATS"
    case .full: "raise the limits of JetStream or of the stream, or free disk space"
    case .disconnected, .wrongLastSequence, .timeout, .other: nil
    }
  }
}
