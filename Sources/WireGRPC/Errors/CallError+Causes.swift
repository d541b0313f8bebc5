import WireHTTP2
import WireProtobuf

extension CallError {
  /// Found by this side.
  package static func local(_ code: StatusCode, _ message: String) -> CallError {
    CallError(code: code, message: message, origin: .local)
  }

  /// The fault of what lies between us and the server, or of a server that breaks the rules.
  package static func transport(_ code: StatusCode, _ message: String) -> CallError {
    CallError(code: code, message: message, origin: .transport)
  }

  /// From trailers that do not say OK.
  package init(_ status: ResponseStatus, httpStatus: Int) {
    switch status.code {
    case .present(let code):
      self.init(
        code: code, message: status.message, details: status.details, metadata: status.metadata,
        origin: .server)
    case .malformed(let problem):
      let message = status.message.isEmpty ? problem : "\(status.message) (\(problem))"
      self.init(
        code: .unknown, message: message, details: status.details, metadata: status.metadata,
        origin: .server)
    case .missing where httpStatus != 200:
      self.init(httpStatus: httpStatus, metadata: status.metadata)
    case .missing:
      self.init(
        code: .unknown, message: "the server's trailers have no grpc-status",
        metadata: status.metadata, origin: .transport)
    }
    retryPushback = status.retryPushback
  }

  /// From an HTTP status other than 200, where no `grpc-status` came.
  package init(httpStatus: Int, metadata: Metadata) {
    self.init(
      code: StatusCode(httpStatus: httpStatus),
      message: "the response has HTTP status \(httpStatus) and is not gRPC", metadata: metadata,
      origin: .transport)
  }

  /// From final headers that do not begin a gRPC answer.
  package init(notGRPC head: ResponseHead) {
    self.init(httpStatus: head.httpStatus, metadata: head.metadata)
    headers = head.metadata
    retryPushback = RetryPushback(head.fields)
    let type =
      head.contentType.map { "content-type \"\($0.shortened(to: 64))\"" } ?? "no content-type"
    if head.httpStatus == 200 {
      code = ContentType(head.contentType) == .almostGRPC ? .internal : .unknown
      message = "the response has \(type), expected application/grpc"
    } else if head.contentType != nil {
      message += " (\(type))"
    }
  }

  /// From a frame that cannot be taken.
  package init(_ failure: MessageDeframer.Failure) {
    self =
      switch failure {
      case .tooLarge(let declared, let limit):
        .tooLarge("the server's message has \(declared) bytes", limit: limit)
      case .badFlag(let flag):
        .transport(.internal, "the server's message has the compression flag \(flag), not 0 or 1")
      }
  }

  /// From a message that is not what its method returns.
  package init(decoding error: DecodingError) {
    self = .transport(.internal, "the server's message cannot be decoded: \(error)")
  }

  /// With asterisks where the message repeats a credential of a call's metadata: programs log the
  /// message. The rest is as the server sent it.
  package func redacted(for metadata: Metadata) -> CallError {
    guard origin != .local, message.utf8.count >= Credential.shortest else { return self }
    let credentials = metadata.credentials
    guard !credentials.isEmpty else { return self }
    var error = self
    error.message = credentials.redacted(message)
    error.connectionFailure = connectionFailure?.redacted(credentials)
    return error
  }

  package func adding(_ text: String) -> CallError {
    var error = self
    error.message += text
    return error
  }

  static func tooLarge(_ what: String, limit: Int) -> CallError {
    .local(.resourceExhausted, "\(what), more than the \(limit) that this call allows")
  }
}

extension CallError {
  /// The error of a call for which no connection could be made.
  package init(_ failure: ConnectionFailure) {
    let isLocal = failure.reason.fault == .caller
    self.init(
      code: .unavailable, message: isLocal ? "\(failure)" : "no connection to \(failure)",
      origin: isLocal ? .local : .transport, connectionFailure: failure)
  }
}
