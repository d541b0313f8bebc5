import Tripwire

/// What to do about a failed call: which option mends it, or what to check.
struct Hint {
  let endpoint: String
  let subject: Subject
  let hasToken: Bool

  /// What was asked for.
  enum Subject {
    /// A trip or a vehicle, by its name.
    case resource(String)
    /// Whatever a method does, "maps.fleetengine.v1.TripService/SearchTrips".
    case method(String)
    /// The server's own descriptors.
    case reflection

    var name: String {
      switch self {
      case .resource(let name), .method(let name): name
      case .reflection: "reflection"
      }
    }

    var isOfFleetEngine: Bool {
      switch self {
      case .resource: true
      case .method(let name): FleetEngineMethods.defaults["/" + name] != nil
      case .reflection: false
      }
    }
  }

  func text(for error: CallError) -> String? {
    if let failure = error.connectionFailure { return text(for: failure) }
    let wait = "try again later"
    switch error.code.named {
    case .resourceExhausted, .outOfRange:
      return text(forExhausted: error)
        ?? "the server found the request wrong: mend what it names above"
    case .invalidArgument, .failedPrecondition:
      return "the server found the request wrong: mend what it names above"
    case .deadlineExceeded:
      return "give it more time with --timeout, or see with -v where the time goes"
    case .notFound:
      guard case .resource(let name) = subject else { return "check the names in the request" }
      return "check the name \(name): is the project right, was it created, has it been deleted?"
    case .permissionDenied:
      guard hasToken else { return tokenOption }
      return subject.isOfFleetEngine
        ? "check that the token is for \(subject.name), that its role may do this, and that Fleet Engine"
          + " is enabled in the project ('\(inspection)' says what it is for)"
        : "check that the token is for \(endpoint), and that whose it is may use \(subject.name)"
    case .unauthenticated where error.origin == .local:
      return text(for: error.underlyingError as? TokenError)
    case .unauthenticated:
      guard hasToken else { return tokenOption }
      return "get a new token: this one is expired or not valid here"
        + (subject.isOfFleetEngine ? " ('tripwire token inspect' says why)" : "")
    case .unimplemented:
      switch subject {
      case .resource: return "\(endpoint) does not serve Fleet Engine: check --endpoint"
      case .method(let name): return "\(endpoint) does not serve \(name): check --endpoint"
      case .reflection:
        return "\(endpoint) has no server reflection: give its descriptors with --protoset FILE"
      }
    case _ where error.kind == .client:
      return nil
    case .unavailable, .aborted, .cancelled:
      return wait
    case .internal, .unknown, .dataLoss:
      return (error.origin == .server ? "the server itself failed: " : "")
        + "look in the server's log, or ask who runs the server"
    default:
      return nil
    }
  }

  /// Too large, too many, or too often.
  private func text(forExhausted error: CallError) -> String? {
    if error.origin != .transport, let limit = RequestSizeLimit(error.message) {
      return "send a smaller request: \(limit)"
        + (error.origin == .server ? "; or have the server's limit raised" : "")
    }
    guard error.code == .resourceExhausted else { return nil }
    switch error.origin {
    case .local where error.attempts == 0:
      if case .reflection = subject { return "give its descriptors with --protoset FILE" }
      return "send less: fewer or shorter headers, or a shorter token"
    case .local:
      return "allow larger answers with --max-message-size"
    case .transport:
      return "try again later"
    case .server:
      return "wait, or ask for more quota"
        + (subject.isOfFleetEngine ? " (for Fleet Engine in the Cloud console)" : "")
    }
  }

  /// Of a call that had no token to be sent with.
  private func text(for error: TokenError?) -> String {
    switch error {
    case .commandFailed:
      "run the token command by hand: it has to write a token and exit with 0 (nothing was sent)"
    case .refused:
      "get a new token: the server does not take this one"
        + (subject.isOfFleetEngine ? " ('\(inspection)' says why)" : "")
    case .unreadable(let path, _):
      "write a token to \(escaped(TokenError.shown(path)))"
    default:
      "check where the token comes from: nothing was sent"
    }
  }

  /// The command that looks into a token for this trip or vehicle.
  private var inspection: String {
    let context = AuthorizationContext(of: subject.name)
    // Others would have to be quoted.
    func shown(_ id: String) -> String {
      id.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) } ? id : "ID"
    }
    let command = "tripwire token inspect FILE"
    if let id = context.tripID { return "\(command) --trip \(shown(id))" }
    if let id = context.vehicleID { return "\(command) --vehicle \(shown(id))" }
    return command
  }

  private var tokenOption: String {
    "give it a token: --token-file FILE, --credentials KEY.json or --token-command CMD"
      + (subject.isOfFleetEngine ? "" : "; or what else it asks for: -H 'NAME: VALUE'")
  }

  private var isUnixSocket: Bool { endpoint.hasPrefix("unix:") }

  private func text(for failure: ConnectionFailure) -> String {
    let skip = "--insecure-skip-verify goes on regardless, for tests only"
    switch failure.reason {
    case .nameNotResolved:
      return "check the host in --endpoint (\(endpoint)), and that this machine is online"
    case .refused where isUnixSocket:
      return "check that the server is running, and the path in --endpoint (\(endpoint))"
    case .refused:
      return "nothing listens there: check the port in --endpoint (\(endpoint))"
    case .unreachable where isUnixSocket:
      return "check the permissions of the socket in --endpoint (\(endpoint))"
    case .unreachable:
      return "check the network, and --endpoint (\(endpoint))"
    case .timedOut:
      return "check --endpoint (\(endpoint)) and firewalls, or give it more time with --timeout"
    case .tlsPeer:
      return "the server speaks TLS: leave out --plaintext"
    case .closedUnanswered:
      return "most likely the server speaks TLS: leave out --plaintext"
    case .plaintextPeer:
      return "the server does not speak TLS: add --plaintext"
    case .http1Peer, .notHTTP2:
      return "check the port in --endpoint (\(endpoint)): no gRPC server listens there"
    case .noALPN:
      return "check that --endpoint (\(endpoint)) is a gRPC server, or have the proxy before it"
        + " offer HTTP/2 (ALPN h2)"
    case .noCommonTLS:
      return "have the server offer TLS 1.3, or TLS 1.2 with ECDHE and AES-GCM or ChaCha20-Poly1305"
    case .untrustedCertificate:
      return "trust the CA that signed it with --cacert FILE (\(skip))"
    case .expiredCertificate:
      return "a certificate that is expired or not yet valid wants renewing, unless it is this"
        + " machine's clock that is wrong (\(skip))"
    case .revokedCertificate:
      return "do not trust it: its authority took it back (\(skip))"
    case .clientCertificateRefused:
      return "give a certificate that the server accepts, and its key: --cert FILE --key FILE"
    case .hostnameMismatch(let expected, let names):
      let name = names.first { !$0.contains("*") && $0 != expected }.map(escaped) ?? "NAME"
      return "ask for a name that the certificate has: --authority \(name) (\(skip))"
    case .tlsAlert, .tlsFailed:
      return "see with -v how far the handshake came; the server's log may say more"
    case .proxyUnreachable:
      return "check --proxy, or grpc_proxy, https_proxy and http_proxy in the environment;"
        + " --proxy none goes without"
    case .proxyRefused(let status) where status >= 500:
      return "the proxy cannot reach the server: check --endpoint (\(endpoint)), or go without:"
        + " --proxy none"
    case .proxyRefused:
      return "ask who runs the proxy to allow \(endpoint), or go without: --proxy none"
    case .proxyWantsCredentials:
      return "give it a user name and password, percent-encoded:"
        + " https_proxy=http://USER:PASSWORD@HOST:PORT"
    case .proxyFailed:
      return "check that what --proxy or the environment names is an HTTP proxy"
    case .closed:
      return "check that --endpoint (\(endpoint)) is a gRPC server; its log may say more"
    case .configuration:
      return "check --endpoint, --authority and --proxy"
    }
  }
}
