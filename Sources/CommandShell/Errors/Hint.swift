import CommandLine
import Recording
package import Tripwire
import TripwireGoogleAuth

/// The action for the user after a failed call: an option to change, or a thing to check.
package struct Hint {
  package let endpoint: String
  package let subject: Subject
  package let hasToken: Bool
  /// The source of the token, "--token-command"; nil without a token.
  package var tokenOption: String?
  /// Returns the token of the call if it is a JWT; nil if it is unknown.
  var sentToken: @Sendable () -> JSONWebToken? = { nil }
  /// Returns the members of IAM behind the token.
  var principals: @Sendable () -> TokenPrincipals = { TokenPrincipals() }
  package var endpointSource = EndpointSource.option
  /// Whether --proxy names the proxy, and not the environment.
  package var hasProxyOption = false
  /// The sources of the command's options.
  var sources: [String: ValueSource] = [:]

  /// The subject of the call.
  package enum Subject {
    /// A resource that the call gets, by its name.
    case resource(String)
    /// A resource by its name, and the method that creates or changes it.
    case changed(String, method: String)
    /// A method, "maps.fleetengine.v1.TripService/SearchTrips".
    case method(String)
    /// A method that reads the logs of a Cloud project.
    case logs(ofProject: String, method: String)
    /// The server's own descriptors.
    case reflection

    var name: String {
      switch self {
      case .resource(let name), .changed(let name, _), .method(let name), .logs(_, let name): name
      case .reflection: "reflection"
      }
    }

    /// The kind of the resources that the method lists. It needs a token for all of that kind.
    var kindForAll: ResourceKind? {
      guard case .method(let name) = self, isOfFleetEngine else { return nil }
      return switch name.split(separator: "/").last {
      case "SearchTrips": .trip
      case "SearchVehicles", "ListVehicles": .vehicle
      case "ListTasks": .task
      case "ListDeliveryVehicles": .deliveryVehicle
      default: nil
      }
    }

    /// The resources that the claims of a token must cover.
    var context: AuthorizationContext {
      var context = AuthorizationContext(of: name)
      if let kindForAll { context[kindForAll] = "*" }
      return context
    }

    /// The service of Google that the call is for; nil if it is unknown.
    var service: String? {
      if case .logs = self { return "logging.googleapis.com" }
      return isOfFleetEngine ? "fleetengine.googleapis.com" : nil
    }

    var isOfFleetEngine: Bool {
      switch self {
      case .resource, .changed: true
      case .method(let name): FleetMethod.all["/" + name] != nil
      case .logs, .reflection: false
      }
    }
  }

  package func text(for error: CallError) -> String? {
    if let failure = error.connectionFailure { return text(for: failure) }
    if isReplayed(error) { return text(forReplayed: error) }
    if let text = text(forNonGRPC: error) ?? text(forReasonOf: error) { return text }
    let wait = "try again later"
    let correction =
      error.message.isEmpty && error.details.isEmpty
      ? "correct the request, or read the log of the server"
      : "correct the request; the server's message names the problem"
    switch error.code.named {
    case .resourceExhausted, .outOfRange:
      return text(forExhausted: error) ?? correction
    case .invalidArgument, .failedPrecondition:
      return correction
    case .deadlineExceeded where isTokenCommandSlow(error):
      return "run the token command by hand to see why it is slow, or raise --timeout"
    case .deadlineExceeded where error.cause == .pauseBeforeRetry:
      return "find the reason of the failed attempts in the log of the server, or raise --timeout"
    case .deadlineExceeded:
      return "raise --timeout, or find the slow step with -v"
    case .notFound:
      if case .logs(let project, _) = subject {
        return "check that the project exists: gcloud projects describe \(shellWord(project))"
      }
      guard let name = missingName(error) else { return "check the names in the request" }
      if let text = text(forLost: name) { return text }
      return "check that \(name) exists: the project or the ID may be wrong, or the resource was"
        + " deleted"
    case .permissionDenied where error.cause == .inadequateSecurity:
      return sources["plaintext"] == nil
        ? strongerTLS : "\(removePlaintext): the server requires TLS"
    case .permissionDenied:
      guard hasToken else { return passToken }
      if let keyOption, subject.isOfFleetEngine {
        return
          "check the roles of the service account in \(sources.name(of: keyOption)), and that Fleet Engine is enabled in"
          + " its project"
      }
      if isSignedByGoogle, subject.isOfFleetEngine {
        return
          "check the roles of the service account that signs (\(sources.name(of: "--sign-as"))), and that Fleet"
          + " Engine is enabled in the project"
      }
      if case .logs(let project, _) = subject { return text(forLogsOf: project, error) }
      if let neededToken { return neededToken }
      if hasAccessToken, subject.isOfFleetEngine {
        return
          "check that the account of the access token has the role Fleet Engine On-demand Admin or Delivery Admin,"
          + " and that Fleet Engine is enabled in the project"
      }
      if sentToken() == nil, let kind = subject.kindForAll { return tokenForAll(kind.claim) }
      return subject.isOfFleetEngine
        ? "check the claims with \(inspection): the token must be for \(escaped(subject.name)), its role must"
          + " allow the call, and Fleet Engine must be enabled in the project"
        : "check that the token is for \(endpoint), and that its owner may use \(escaped(subject.name))"
    case .unauthenticated where error.origin == .local:
      return text(for: error.underlyingError as? TokenError)
    case .unauthenticated:
      guard hasToken else { return passToken }
      return tokenFault(error)
        ?? "get a new token: this one has expired or the server does not accept it"
        + (subject.isOfFleetEngine && !hasAccessToken
          ? " ('tripwire token inspect' checks it)" : "")
    case .unimplemented where error.cause == .wrongMessageCount:
      return checkServer
    case .unimplemented:
      let option = [authorityOption, endpointSource.option].compactMap { $0 }.joined(
        separator: " and ")
      switch subject {
      case .resource(let name):
        let context = AuthorizationContext(of: name)
        let kind = ResourceKind.allCases.first { context[$0] != nil } ?? .trip
        return "check \(option): \(endpoint) does not serve \(kind.getPath.dropFirst())"
      case .method(let name), .changed(_, method: let name), .logs(_, method: let name):
        return "check \(option): \(endpoint) does not serve \(name)"
      case .reflection:
        return
          "pass descriptors with --protoset FILE or --proto FILE -I DIR: \(endpoint) has no reflection"
          + " service"
      }
    case .alreadyExists:
      return "use another ID, or update the existing resource"
    case _ where error.kind == .client:
      return nil
    case .unavailable where error.cause == .connectionViolation:
      return checkServer
    case .unavailable where error.origin == .local:
      return (error.underlyingError as? TokenError)?.action ?? wait
    case .unavailable, .aborted, .cancelled:
      return wait
    case .internal where error.isAboutDescriptors:
      return Self.replaceDescriptors
    case .internal, .unknown, .dataLoss:
      return checkServer
    default:
      return nil
    }
  }

  /// Returns the name of the resource that does not exist; nil if it is unknown.
  private func missingName(_ error: CallError) -> String? {
    switch subject {
    case .resource(let name): return escaped(name)
    case .changed(let name, let method):
      let names = error.details.compactMap { detail -> String? in
        if case .resourceInfo(let info) = detail { info.resourceName } else { nil }
      }
      // The request may name other resources, such as the vehicle of a trip.
      if let other = names.first(where: { (try? ResourceName($0)) != nil }) {
        return escaped(other)
      }
      let isCreation = method.split(separator: "/").last?.hasPrefix("Create") ?? false
      return isCreation ? nil : escaped(name)
    case .method, .logs, .reflection: return nil
    }
  }

  /// The hint for an update of a vehicle or a task that does not exist; nil for other calls. Google's page on
  /// troubleshooting: Fleet Engine can lose them, and the backend then creates them again, with back-off.
  private func text(forLost name: String) -> String? {
    guard case .changed(name, let method) = subject,
      method.split(separator: "/").last?.hasPrefix("Update") ?? false,
      let kind = (try? ResourceName(name))?.kind,
      [.vehicle, .deliveryVehicle, .task].contains(kind)
    else { return nil }
    return
      "check \(name); if it is right, create the \(kind.noun) again, with back-off: Fleet Engine can lose"
      + " \(kind.plural)"
  }

  /// Whether the deadline passed before --token-command ended.
  func isTokenCommandSlow(_ error: CallError) -> Bool {
    tokenOption == TokenSource.commandOption && error.cause == .slowPreparation
  }

  /// The hint for a status that the server of --replay sent: from its file, or for a call that is not in it.
  private func text(forReplayed error: CallError) -> String {
    let callServer =
      subject.isOfFleetEngine
      ? "leave out --replay to call Fleet Engine" : "pass --endpoint instead of --replay"
    let callServerInstead = callServer + ": the server of --replay sent this error"
    switch ReplayMiss(error) {
    case .request: return "make the same request as in the file of --replay"
    case .provider: return "use a provider that is in the file of --replay"
    case .resource: return "use a name that is in the file of --replay"
    case .method:
      return "use a recording or a script with calls of this method, or " + callServer
    case nil: break
    }
    switch error.code.named {
    case .deadlineExceeded:
      return "check how the call ends in the file of --replay, or raise --timeout"
    case .permissionDenied, .unauthenticated:
      return callServerInstead + ", and it ignores tokens"
    default:
      return callServerInstead
    }
  }

  /// The hint for RESOURCE_EXHAUSTED and OUT_OF_RANGE: too large, too many, or too often.
  private func text(forExhausted error: CallError) -> String? {
    if error.origin != .transport, let limit = RequestSizeLimit(error.message) {
      let server = error.origin == .server ? ", or raise the limit of the server" : ""
      return "send a smaller request\(server): \(limit)"
    }
    guard error.code == .resourceExhausted else { return nil }
    switch error.origin {
    case .local where error.attempts == 0:
      if case .reflection = subject { return "pass descriptors with --protoset FILE" }
      return "send fewer or shorter headers, or a shorter token"
    case .local:
      return "allow larger responses with --max-message-size"
    case .transport:
      return error.cause == .excessiveLoad ? "try again later" : checkServer
    case .server:
      return "wait, or request more quota"
        + (subject.isOfFleetEngine ? " for Fleet Engine in the Cloud console" : "")
    }
  }

  /// The hint for a call that was not sent, for lack of a token.
  private func text(for error: TokenError?) -> String {
    switch error {
    case .refused:
      neededToken
        ?? "get a new token: the server rejects this one"
        + (subject.isOfFleetEngine ? " (check it with \(inspection))" : "")
    case .commandFailed:
      "run the token command by hand: it must write a token to stdout and exit with code 0"
    case .invalidResponse where tokenOption == TokenSource.commandOption:
      #"make the token command print the token, or {"token": "…", "expiresIn": SECONDS}, on stdout"#
    case .unreadable(let path, _) where error?.action == nil:
      "write a token to \(escaped(TokenError.shown(path)))"
    case _ where tokenOption == TokenSource.commandOption && error?.action == nil:
      "run the token command by hand: it must write a token to stdout"
    default:
      error?.action
        ?? "check \(tokenOption.map { sources.name(of: $0) } ?? "the source of the token")"
    }
  }

  /// The hint for a rejected token if its times, its key or its claims are the reason; nil otherwise.
  func tokenFault(_ error: CallError) -> String? {
    if let text = text(forClockIn: error) { return text }
    if let keyOption {
      return
        "use another key in \(sources.name(of: keyOption)): the server does not accept the tokens that this one signs"
    }
    return neededToken
  }

  /// The hint for a token whose claims do not cover the resources of the call; nil if they do or are unknown.
  var neededToken: String? {
    guard subject.isOfFleetEngine,
      let resource = sentToken()?.uncovered(by: subject.context).first
    else { return nil }
    return resource.id == "*" ? tokenForAll(resource.claim) : Self.text(for: resource)
  }

  package static func text(for resource: UncoveredResource) -> String {
    "get a token whose claim \(resource.claim) is \(escaped(resource.id)):"
      + " this one is for \(escaped(resource.coverage))"
  }

  private func tokenForAll(_ claim: String) -> String {
    "use a token for all resources: tripwire token mint --sign-as ACCOUNT"
      + " --\(ResourceKind(claim: claim)?.option ?? "claim") '*'"
  }

  /// The command that checks a token for this resource.
  var inspection: String {
    let context = AuthorizationContext(of: subject.name)
    let isInFile = tokenOption == nil || tokenOption == "--token-file"
    var command = "tripwire token inspect\(isInFile ? " FILE" : "")"
    if let kind = ResourceKind.allCases.first(where: { context[$0] != nil }) {
      command += " --\(kind.option) \(context[kind]?.plainWord ?? "ID")"
    }
    return "'\(command)'\(isInFile ? "" : " and the token on stdin")"
  }

  /// Whether the server of --replay sent the status, or did not end the call. It limits the size of requests
  /// by itself.
  private func isReplayed(_ error: CallError) -> Bool {
    guard endpointSource == .replay, RequestSizeLimit(error.message) == nil else { return false }
    return error.origin != .local || error.code == .deadlineExceeded && error.attempts > 0
  }

  /// Whether the token is the access token of Google Cloud credentials, which has no claims.
  var hasAccessToken: Bool {
    let sources: [AccessTokenSource] = [
      .gcloud, .machine(isVariable: true), .machine(isVariable: false),
    ]
    return sources.contains { TokenSource.accessToken($0).option == tokenOption }
  }

  /// Whether Google signs the tokens, as a service account.
  var isSignedByGoogle: Bool { tokenOption == TokenSource.signer([], .gcloud).option }

  /// Whether the times in the tokens are of the clock of this machine. Google signs the times that it gets.
  var hasTimesOfThisMachine: Bool { keyOption != nil || isSignedByGoogle }

  /// The option or variable of the key that signs the tokens; nil for tokens from elsewhere.
  var keyOption: String? {
    let options = [TokenSource.credentials("").option, TokenSource.credentialsText("").option]
    return tokenOption.flatMap { options.contains($0) ? $0 : nil }
  }

  var passToken: String {
    if endpoint.hasSuffix(".googleapis.com:443") {
      return
        "sign in with 'gcloud auth application-default login', or pass a token with --token-file FILE"
        + " or another option for tokens"
    }
    return
      "pass a token with --access-token SOURCE, --token-file FILE, --credentials KEY.json or --token-command CMD"
      + (subject.isOfFleetEngine ? "" : ", or other credentials with -H 'NAME: VALUE'")
  }

  package static let replaceDescriptors = "pass correct descriptors with --protoset FILE"

  var checkServer: String { "check the log of the server, or contact its operator" }
}
