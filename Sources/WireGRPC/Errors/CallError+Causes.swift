import WireHTTP2
import WireProtobuf

extension CallError {
  /// Creates an error that the client found.
  package static func local(_ code: StatusCode, _ message: String) -> CallError {
    CallError(code: code, message: message, origin: .local)
  }

  /// Creates an error caused by the network, or by a peer that violates the protocol.
  package static func transport(
    _ code: StatusCode, _ message: String, cause: Cause? = nil
  ) -> CallError {
    var error = CallError(code: code, message: message, origin: .transport)
    error.cause = cause
    return error
  }

  /// Creates the error for a stream that the server reset with this code.
  static func reset(_ code: HTTP2ErrorCode) -> CallError {
    let cause: Cause? =
      switch code {
      case .enhanceYourCalm: .excessiveLoad
      case .inadequateSecurity: .inadequateSecurity
      default: nil
      }
    return .transport(
      StatusCode(resetWith: code), "the server reset the stream with \(code)", cause: cause)
  }

  /// Creates the error for trailers whose status is not OK.
  init(_ status: ResponseStatus, httpStatus: Int) {
    switch status.code {
    case .present(let code):
      self.init(
        code: code, message: status.message, details: status.details, trailers: status.metadata,
        origin: .server)
    case .malformed(let problem):
      let message = status.message.isEmpty ? problem : "\(status.message) (\(problem))"
      self.init(
        code: .unknown, message: message, details: status.details, trailers: status.metadata,
        origin: .server)
    case .missing where httpStatus != 200:
      self.init(httpStatus: httpStatus, trailers: status.metadata)
    case .missing:
      self.init(
        code: .unknown, message: "the server's trailers have no grpc-status",
        trailers: status.metadata, origin: .transport)
    }
    retryPushback = status.retryPushback
  }

  /// Creates the error for an HTTP status other than 200 without `grpc-status`.
  init(httpStatus: Int, trailers: Metadata) {
    self.init(
      code: StatusCode(httpStatus: httpStatus),
      message: "the response has HTTP status \(httpStatus) and is not gRPC", trailers: trailers,
      origin: .transport)
  }

  /// Creates the error for final headers that do not start a gRPC response.
  init(notGRPC head: ResponseHead) {
    self.init(httpStatus: head.httpStatus, trailers: head.metadata)
    headers = head.metadata
    retryPushback = RetryPushback(head.fields)
    cause = Cause(notGRPC: head)
    let type =
      head.contentType.map { "content-type \"\($0.shortened(to: 64))\"" } ?? "no content-type"
    if head.httpStatus == 200 {
      code = [.almostGRPC, .grpcWeb].contains(ContentType(head.contentType)) ? .internal : .unknown
      message = "the response has \(type), not application/grpc"
    } else if ContentType(head.contentType) == .grpc {
      message = "the response has HTTP status \(head.httpStatus) and no grpc-status"
    } else if head.contentType != nil {
      message += " (\(type))"
    }
  }

  /// Creates the error for an invalid frame prefix.
  init(_ failure: MessageDeframer.Failure) {
    self =
      switch failure {
      case .tooLarge(let declared, let limit):
        .tooLarge("the response is \(declared) bytes", limit: limit)
      case .badFlag(let flag):
        .transport(.internal, "the server's message has the compression flag \(flag), not 0 or 1")
      }
  }

  /// Creates the error for a response message that does not decode.
  package init(decoding error: DecodingError) {
    self = .transport(.internal, "the server's message cannot be decoded: \(error)")
  }

  /// Returns the error with the call's credentials masked in `message`, because programs log it.
  /// Details, headers and trailers stay as received.
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
    .local(.resourceExhausted, "\(what); the limit is \(limit) bytes")
  }
}

extension CallError.Cause {
  /// Returns nil if the head of the response does not show what answered.
  fileprivate init?(notGRPC head: ResponseHead) {
    if (300..<400).contains(head.httpStatus), let location = head.fields.value(of: "location") {
      self = .redirect(MetadataRules.shown(location, of: "location").shortened(to: 256))
      return
    }
    switch ContentType(head.contentType) {
    case .html: self = .webPage(title: nil)
    case .grpcWeb: self = .grpcWeb
    case .grpc, .almostGRPC, .other: return nil
    }
  }
}

extension CallError {
  /// Creates the error of a call that failed because no connection could be made.
  package init(_ failure: ConnectionFailure) {
    let isLocal = failure.reason.fault == .caller
    self.init(
      code: .unavailable, message: isLocal ? "\(failure)" : "no connection to \(failure)",
      origin: isLocal ? .local : .transport, connectionFailure: failure)
  }
}
