package import WireGRPC
package import WireProtobuf

extension PollError {
  /// Creates the message of a failure. It contains no headers and no trailers.
  ///
  /// - Parameters:
  ///   - since: when the first of the consecutive failures occurred.
  ///   - count: the number of consecutive failures.
  ///   - redact: masks credentials in text. A detail that contains one is left out.
  package init(
    _ error: CallError, since: Timestamp, count: Int, redact: (String) -> String = { $0 }
  ) {
    self.init()
    let details = error.details.map(\.any).filter { detail in
      let text = String(decoding: detail.value, as: UTF8.self)
      return redact(text) == text
    }
    status = RPCStatus(
      code: Int32(truncatingIfNeeded: error.code.rawValue),
      message: redact(error.message), details: details)
    origin =
      switch error.origin {
      case .server: .server
      case .transport: .transport
      case .local: .local
      }
    self.since = since
    self.count = UInt32(clamping: count)
    isClientError = error.kind == .client
    attempts = UInt32(clamping: error.attempts)
  }
}

extension CallError {
  /// Creates the error of a worker's poll. Its kind is the one that the worker determined.
  ///
  /// - Parameter path: that of the method of the poll.
  init(_ error: PollError, path: String) {
    let origin: Origin =
      switch error.origin {
      case .transport: .transport
      case .local: .local
      case .server, .unspecified, .unrecognized: .server
      }
    self.init(error.status ?? RPCStatus(), origin: origin)
    attempts = Int(error.attempts)
    self.path = path
    let kind: Kind = error.isClientError ? .client : .serverOrNetwork
    if self.kind != kind { reportedKind = kind }
  }

  /// Creates the error of a reader that receives no states, for example because it lost its connection.
  init(relay status: RPCStatus) {
    self.init(status, origin: .transport)
    message = Self.relayMessage + (message.isEmpty ? "" : ": " + message)
  }

  private static let relayMessage = "the relay sends no states"

  /// Whether NATS or the relay failed, not a poll.
  package var isOfRelay: Bool { origin == .transport && message.hasPrefix(Self.relayMessage) }

  /// An error cannot have the code OK.
  private init(_ status: RPCStatus, origin: Origin) {
    self.init(
      code: status.code == 0 ? .unknown : StatusCode(rawValue: Int(status.code)),
      message: status.message, details: status.details.map(ErrorDetail.init), origin: origin)
  }
}
