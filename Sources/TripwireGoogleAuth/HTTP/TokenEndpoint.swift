import Tripwire
import WireGRPC
import WireProtobuf
import WireSystem

/// An endpoint that responds to a request with a token in JSON (RFC 6749 section 3.2).
struct TokenEndpoint: Sendable {
  let client: HTTPClient
  /// What is presented to it, for messages: "the credentials in FILE".
  let credentials: String
  /// The action for the user if the credentials are refused.
  let action: String
  /// How often a request is made while the server is overloaded.
  var attempts = 3

  /// Returns the token in a response.
  ///
  /// - Parameters:
  ///   - lifetime: the lifetime in seconds; nil for the one in the response, if it has one.
  ///   - read: reads other members.
  /// - Throws: `CallError` (UNAVAILABLE) if a later request may succeed, otherwise `TokenError`; CancellationError.
  func token(
    _ request: HTTPRequest, member: String = "access_token", lifetime: Double? = nil,
    read: (Struct) -> Void = { _ in }
  ) async throws -> AuthToken {
    // The lifetime counts from the request, so that it is never too long.
    let start = WallTime.now
    let response = try await response(to: request)
    guard response.status == 200 else { throw refusal(response, of: request) }
    do throws(TokenError) {
      let object = try Struct(tokenJSON: response.body)
      read(object)
      let expiry: TokenExpiry =
        lifetime == nil && object.has("expires_in") ? .secondsFromNow("expires_in") : .unstated
      let token = try AuthToken(object, token: member, expiry, now: start)
      return lifetime.map { AuthToken(token.value, expiration: start + $0) } ?? token
    } catch {
      throw failure(request, "sent no token: \(error.problem)", checkURL)
    }
  }

  /// Returns the last response, whatever its status.
  func response(to request: HTTPRequest) async throws -> HTTPResponse {
    guard Self.isSafe(request) else {
      throw failure(
        request, "needs TLS: the request contains a credential", "use an https:// URL",
        isLocal: true)
    }
    var attempt = 1
    while true {
      let response: HTTPResponse
      do throws(HTTPFailure) {
        response = try await client.send(request)
      } catch {
        throw failure(request, error)
      }
      guard attempt < attempts, Self.isOverloaded(response) else { return response }
      try await Task.sleep(for: Self.pause(after: attempt, random: .random(in: -0.1...0.1)))
      attempt += 1
    }
  }

  /// 1, 2, 4 … s, with a random part, as in Google's clients.
  static func pause(after attempt: Int, random: Double) -> Duration {
    .seconds(Double(1 << (attempt - 1)) * (1 + random))
  }

  /// Whether credentials are safe on the way: over TLS, or on this machine. A request without a body has none that
  /// Google gave.
  static func isSafe(_ request: HTTPRequest) -> Bool {
    if request.isURL("https://") { return true }
    return request.isURL("http://") && (request.body == nil || request.isOnThisMachine)
  }

  /// Whether the same request may succeed in a moment: by the status, or the error code of OAuth.
  static func isOverloaded(_ response: HTTPResponse) -> Bool {
    if [408, 429, 500, 503, 504].contains(response.status) { return true }
    guard response.status != 200, let object = try? Struct(jsonUTF8Bytes: response.body) else {
      return false
    }
    return ["internal_failure", "server_error", "temporarily_unavailable"].contains {
      [object.text("error"), object.text("error_description")].contains($0)
    }
  }

  /// Whether a later request may succeed without a change.
  static func isTemporary(_ response: HTTPResponse) -> Bool {
    response.status >= 500 || isOverloaded(response)
  }

  private func refusal(_ response: HTTPResponse, of request: HTTPRequest) -> any Error {
    let object = try? Struct(jsonUTF8Bytes: response.body)
    let reason = Self.reason(in: object).map { ": \(request.credentials.redacted($0))" } ?? ""
    if Self.isTemporary(response) {
      return unavailable("\(request.shownURL) answered with status \(response.status)\(reason)")
    }
    guard object != nil, response.status >= 400 else {
      return failure(
        request, "answered with status \(response.status), but not as a token endpoint", checkURL)
    }
    let problem = "did not accept \(credentials) (status \(response.status)\(reason))"
    let failure = failure(request, problem, action)
    let details = ErrorInfo.all(in: object?.object("error"), request.credentials)
    return details.isEmpty ? failure : CallError(failure, details)
  }

  /// The error of RFC 6749 section 5.2, or of Google's APIs, on one line.
  static func reason(in object: Struct?) -> String? {
    let error = object?.object("error")
    let texts = [
      object?.text("error"), object?.text("error_description"), error?.text("status"),
      error?.text("message"),
    ]
    let text = texts.compactMap { $0.map { OutputRedactor.masked($0.shortened(to: 200)) } }
      .joined(separator: ": ")
    return text.isEmpty ? nil : text
  }

  private func failure(_ request: HTTPRequest, _ failure: HTTPFailure) -> any Error {
    if failure == .canceled { return CancellationError() }
    let error = self.failure(
      request, failure.description, failure.action, isLocal: failure.isLocal)
    guard failure.isTemporary else { return error }
    var temporary = unavailable(error.problem)
    temporary.underlyingError = error
    return temporary
  }

  private func failure(
    _ request: HTTPRequest, _ problem: String, _ action: String, isLocal: Bool = false
  ) -> TokenError {
    .endpointFailed(
      place: request.shownURL,
      reason: TokenError.Reason(problem, action: action, isLocal: isLocal))
  }

  func unavailable(_ message: String) -> CallError {
    CallError(code: .unavailable, message: message, origin: .local)
  }

  private var checkURL: String {
    "check the URL in \(credentials), and whether a proxy or a login page answers for it"
  }
}

extension CallError {
  /// An error that only the user can correct, with the reason that a service of Google gives.
  init(_ error: TokenError, _ details: [ErrorDetail]) {
    self.init(code: .unauthenticated, message: error.problem, origin: .local)
    self.details = details
    underlyingError = error
  }
}

extension ErrorInfo {
  /// Returns those in the error of Google's APIs in JSON.
  ///
  /// - Parameter credentials: what is masked.
  fileprivate static func all(
    in error: Struct?, _ credentials: [Credential]
  ) -> [ErrorDetail] {
    let details = error?.fields["details"]?.listValue?.values.compactMap(\.structValue) ?? []
    return details.filter { $0.text("@type")?.hasSuffix("/google.rpc.ErrorInfo") == true }.map {
      detail in
      var info = ErrorInfo()
      info.reason = credentials.redacted(detail.text("reason") ?? "")
      info.domain = credentials.redacted(detail.text("domain") ?? "")
      for (name, value) in detail.object("metadata")?.members ?? [] {
        info.metadata[credentials.redacted(name)] = value.text.map(credentials.redacted)
      }
      return .errorInfo(info)
    }
  }
}
