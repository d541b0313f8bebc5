import Testing
import WireGRPC
import WireProtobuf

@testable import RelayAPI
@testable import Tripwire

@Suite struct PollErrorTests {
  private static let origins: [CallError.Origin] = [.server, .transport, .local]
  private let path = "/s/m"
  private let since = Timestamp(seconds: 1_000, nanos: 5)

  private func sent(_ error: CallError, redact: (String) -> String = { $0 }) throws -> PollError {
    let message = PollError(error, since: since, count: 3, redact: redact)
    return try PollError(serializedBytes: message.serializedBytes())
  }

  @Test(arguments: origins)
  func errorsKeepTheirCodeOriginAndKind(origin: CallError.Origin) throws {
    for code in Array(1...17) + [99, -1] {
      let error = CallError(
        code: StatusCode(rawValue: code), message: "é\n", origin: origin)
      let message = try sent(error)
      #expect(message.isClientError == (error.kind == .client))
      #expect(message.since == since && message.count == 3)
      let received = CallError(message, path: path)
      #expect(received.kind == error.kind, "code \(code)")
      #expect(received.code == error.code && received.origin == origin)
      #expect(received.message == error.message)
      #expect(received.isSameFailure(as: error))
    }
  }

  /// The code of these errors alone would mean another kind.
  @Test(arguments: [
    ConnectionFailure.Reason.configuration, .refused, .expiredCertificate, .nameNotResolved,
  ])
  func connectionFailuresKeepTheirKind(reason: ConnectionFailure.Reason) throws {
    let error = CallError(ConnectionFailure(reason: reason, peer: "a:1", detail: "it failed"))
    let received = try CallError(sent(error), path: path)
    #expect(received.kind == error.kind)
    #expect(received.code == .unavailable && received.message == error.message)
  }

  @Test(arguments: [0, 1, 6]) func numberOfAttemptsIsKept(attempts: Int) throws {
    let error = CallError(
      code: .unavailable, message: "", origin: .transport, attempts: attempts)
    #expect(try CallError(sent(error), path: path).attempts == attempts)
  }

  @Test func closedChannelStaysAClientError() throws {
    var error = CallError(code: .unavailable, message: "closed", origin: .local)
    error.isChannelClosed = true
    #expect(try CallError(sent(error), path: path).kind == .client)
  }

  @Test func detailsAreKept() throws {
    let retry = RetryInfo(retryDelay: WireDuration(.seconds(7)))
    let unknown = AnyMessage(typeUrl: "type.googleapis.com/a.B", value: [8, 1])
    let details: [ErrorDetail] = [.retryInfo(retry), .other(unknown)]
    let error = CallError(
      code: .resourceExhausted, message: "", details: details, origin: .server)
    #expect(try CallError(sent(error), path: path).details == details)
  }

  @Test func credentialsAreNotSent() throws {
    let token = "eyJhbGciOiJub25lIn0.secret-secret-secret.x"
    var metadata = Metadata()
    try metadata.append("authorization", "Bearer \(token)")
    let info = ErrorInfo(reason: "token \(token)")
    let help = ErrorInfo(reason: "EXPIRED")
    let error = CallError(
      code: .unauthenticated, message: "bad \(token)",
      details: [.errorInfo(info), .errorInfo(help)], headers: metadata, trailers: metadata,
      origin: .server)
    let message = try sent(error, redact: metadata.credentials.redacted)
    let bytes = String(decoding: message.serializedBytes(), as: UTF8.self)
    #expect(!bytes.contains("secret"))
    #expect(message.status?.details.count == 1)
    #expect(CallError(message, path: path).details == [.errorInfo(help)])
    #expect(CallError(message, path: path).trailers == Metadata())
  }

  @Test func missingStatusIsAnUnknownError() {
    let error = CallError(PollError(), path: path)
    #expect(error.code == .unknown && error.kind == .serverOrNetwork && error.origin == .server)
  }
}
