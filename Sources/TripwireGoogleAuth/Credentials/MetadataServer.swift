package import Tripwire
import WireSystem
import WireTransport

/// The metadata server of Compute Engine, GKE and Cloud Run, which gives tokens of the service account of the machine.
package final class MetadataServer: GoogleCredentials {
  private static let flavor = "metadata-flavor"

  /// `HOST` or `HOST:PORT`.
  private let host: String
  private let timeout: Duration
  /// The address of the service account, once it is known.
  private let address = Locked<String?>(nil)

  package var name: String { "the metadata server \(host)" }

  package init(_ environment: Environment = .process) {
    host =
      environment["GCE_METADATA_HOST"] ?? environment["GCE_METADATA_ROOT"]
      ?? "metadata.google.internal"
    let seconds = environment["GCE_METADATA_TIMEOUT"].flatMap(Int64.init) ?? 3
    timeout = .seconds(min(max(1, seconds), 3600))
  }

  package var member: IAMMember? { address.withLock { $0 }.map { .serviceAccount($0) } }

  package func account(_ client: HTTPClient) async throws -> String? {
    try await account(client, attempts: 5)
  }

  private func account(_ client: HTTPClient, attempts: Int) async throws -> String? {
    if let known = address.withLock({ $0 }) { return known }
    let email = try await get("email", client, attempts: attempts)
    guard let member = IAMMember(address: String(decoding: email, as: UTF8.self)) else {
      return nil
    }
    address.withLock { $0 = member.address }
    return member.address
  }

  package func accessToken(scope: String, _ client: HTTPClient) async throws -> AuthToken {
    let start = WallTime.now
    // For the errors of calls, which name the account. Google's clients ask for it, too.
    async let account = try? account(client, attempts: 1)
    let json = try await get("token?scopes=\(HTTPRequest.encoded(scope))", client, attempts: 5)
    _ = await account
    do throws(TokenError) {
      var token = try AuthToken(
        json: json, token: "access_token", .secondsFromNow("expires_in"), now: start)
      // The server keeps a token until 4 minutes before its end.
      token.renewalMargin = 225
      return token
    } catch {
      throw failure("sent no token: \(error.problem)")
    }
  }

  private func get(
    _ path: String, _ client: HTTPClient, attempts: Int
  ) async throws -> [UInt8] {
    guard (try? HostAndPort(host)) != nil else {
      throw failure(
        "has no valid address", action: "set GCE_METADATA_HOST to HOST[:PORT]", isLocal: true)
    }
    var request = HTTPRequest(
      "http://\(host)/computeMetadata/v1/instance/service-accounts/default/\(path)")
    request.headers = [(Self.flavor, "Google")]
    request.timeout = timeout
    request.isDirect = true
    let endpoint = TokenEndpoint(client: client, credentials: name, action: "", attempts: attempts)
    let response: HTTPResponse
    do {
      response = try await endpoint.response(to: request)
    } catch var error as CallError {
      let reason = (error.underlyingError as? TokenError)?.problem ?? error.message
      error.underlyingError = TokenError.endpointFailed(
        place: name,
        reason: TokenError.Reason(
          "does not answer (\(reason))",
          action: "check GCE_METADATA_HOST, and that this machine is on Google Cloud"))
      throw error
    }
    if TokenEndpoint.isTemporary(response) {
      throw endpoint.unavailable("\(name) answered with status \(response.status)")
    }
    guard response.header(Self.flavor) == "Google" else {
      throw failure(
        "sent a response without the header Metadata-Flavor: it is not a metadata server")
    }
    switch response.status {
    case 200: return response.body
    case 404:
      throw failure(
        "has no service account", action: "attach a service account to the machine or the service")
    default: throw failure("answered with status \(response.status)")
    }
  }

  private func failure(
    _ problem: String, action: String = "check GCE_METADATA_HOST and the network",
    isLocal: Bool = false
  ) -> TokenError {
    .endpointFailed(
      place: name, reason: TokenError.Reason(problem, action: action, isLocal: isLocal))
  }
}
