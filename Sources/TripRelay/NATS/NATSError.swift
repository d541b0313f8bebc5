import RelayAPI

/// A failed operation of NATS.
package struct NATSError: Error, Hashable, Sendable, CustomStringConvertible {
  enum Kind: Sendable, Hashable {
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
    /// The server does not know this kind of request.
    case badRequest
    /// The cluster has no leader at present.
    case noLeader
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
    /// All polls of a worker fail.
    case failingPolls
    /// Nobody publishes states of a resource.
    case noState
    case other
  }

  let kind: Kind
  /// The failure and its reason: "cannot connect to NATS at nats://127.0.0.1:4222: no server accepts the connection".
  package let message: String
  /// One action that helps; nil if none is known.
  package let hint: String?
  /// The subject that the user may not publish or subscribe to; nil if it is unknown.
  let subject: String?
  /// Whether the user may not subscribe to a subject. That lasts until the next connection.
  let isRefusedSubscription: Bool
  /// The number of the subject's last message, of a `wrongLastSequence`; nil if it is unknown.
  let lastSequence: UInt64?

  init(
    _ kind: Kind, _ message: String, hint: String? = nil, subject: String? = nil,
    isRefusedSubscription: Bool = false, lastSequence: UInt64? = nil
  ) {
    self.kind = kind
    self.message = message
    self.hint = hint ?? Self.hint(for: kind)
    self.subject = subject
    self.isRefusedSubscription = isRefusedSubscription
    self.lastSequence = lastSequence
  }

  package var description: String { message }

  /// The error with a hint for a worker, which needs no other one.
  var forWorker: NATSError {
    kind == .noStream
      ? NATSError(kind, message, hint: RelayHint.lostStream, subject: subject) : self
  }

  private static func hint(for kind: Kind) -> String? {
    switch kind {
    case .unreachable: RelayHint.unreachable
    case .notAuthorized: RelayHint.notAuthorized
    case .notPermitted: RelayHint.notPermitted
    case .noJetStream: RelayHint.noJetStream
    case .noLeader: RelayHint.noLeader
    case .timeout: RelayHint.noAnswer
    case .noStream: RelayHint.noStream
    case .incompatibleStream: "delete the stream, so that a worker creates it again"
    case .tooLarge: RelayHint.tooLarge
    case .full: RelayHint.full
    case .failingPolls: RelayHint.failingPolls
    case .badRequest, .disconnected, .wrongLastSequence, .noState, .other: nil
    }
  }
}
