import CommandLine
import CommandShell
import Tripwire

extension DoctorSteps {
  /// Gets a token and checks its claims. Returns false if there is no token although there is a source.
  mutating func tokenStep() async -> (step: DoctorStep, hasToken: Bool) {
    let start = ContinuousClock.now
    let context =
      name.map { AuthorizationContext(of: $0.description) }
      ?? AuthorizationContext(resourceName: "")
    let source: TokenSource
    let header: String
    var used: (any AuthTokenProvider)?
    do throws(ErrorReport) {
      let network = TokenNetwork(
        options.connection, options.tls, console, options.output, timeout: timeout)
      let (found, provider) = try options.tokenProvider(
        on: network, until: start + timeout, console.warn, { _ in })
      guard let found, let provider else {
        guard !server.hasAuthorization else {
          return (.skipped("token", "not checked: it is in the header authorization"), true)
        }
        guard options.connection.replay == nil else {
          return (.skipped("token", "not needed: a recording answers the calls"), true)
        }
        var step = DoctorStep.skipped("token", "no option provides a token")
        if let obstacle = options.obstacleForDefault {
          step.message += "; the credentials of this machine are not used: \(obstacle)"
        } else {
          step.outcome = .warning
          step.message += ", and this machine has no Google Cloud credentials"
          step.hint = TokenError.Remedy.login.rawValue + ", or pass --access-token"
        }
        return (step, true)
      }
      (source, used) = (found, provider)
      server = server.using(provider, from: source)
      header = try await authorization(for: context)
    } catch {
      var step = DoctorStep.failed("token", error, .now - start)
      if let used { step.add(identity: TokenNetwork.identity(of: used)) }
      return (step, false)
    }
    let text = String(header.dropFirst("Bearer ".count))
    var step = step(for: text, of: source.option, context, .now - start)
    if let used, TokenNetwork.lacksQuotaProject(used) {
      step.warn(
        "the user credentials name no quota project",
        hint:
          "run 'gcloud auth application-default set-quota-project ID', or pass --quota-project ID")
    }
    if let used { step.add(identity: TokenNetwork.identity(of: used)) }
    return (step, true)
  }

  /// Returns the header that a call would have.
  private func authorization(
    for context: AuthorizationContext
  ) async throws(ErrorReport) -> String {
    do throws(CallError) {
      let channel = try Channel(target: server.endpoint, configuration: server.configuration)
      return try await withToken(
        of: server.tokens, on: channel, for: context, CallOptions(timeout: timeout)
      ) { attempt throws(CallError) in
        if let refusal = attempt.refusal { throw refusal }
        return attempt.options.metadata["authorization"] ?? ""
      }
    } catch {
      throw report(error)
    }
  }

  private func step(
    for text: String, of option: String, _ context: AuthorizationContext, _ time: Duration
  ) -> DoctorStep {
    let name = options.sources.name(of: option)
    guard project == nil else { return .ok("token", name, time) }
    guard let token = try? JSONWebToken(text) else {
      return .ok(
        "token", "\(name): not a JWT; access tokens have no claims to check", time)
    }
    let wanted = ResourceKind.allCases.compactMap { kind in
      context[kind].map { (claim: kind.claim, id: $0) }
    }
    let clock = console.clock()
    let checks = TokenChecks(token: token, clock: clock, wanted: wanted, signature: []).all
    var step = DoctorStep.ok("token", name, time)
    let failed = checks.filter { $0.outcome == .failed }
    if let first = failed.first {
      let label = options.sources.label(of: option)
      let texts = failed.map(\.text).joined(separator: "; ")
      step = .failed(
        "token",
        ErrorReport(local: "\(label): \(texts)", of: option, hint: first.cure), time)
    } else if let check = checks.first(where: { $0.outcome == .warning }) {
      step.warn(check.text, hint: check.cure ?? "run 'tripwire token inspect'")
    }
    let expiration = token.claims.number("exp").flatMap(Int64.init(exactly:))
    step.lines =
      ["iss", "authorization"].compactMap { name in
        token.claims.fields[name].map { "\(name): \($0.words)" }
      } + [expiration.map { "exp: " + clock.text($0, withZone: true) }].compactMap(\.self)
    step.members.append(("claims", token.json.claims))
    return step
  }
}

extension DoctorStep {
  /// Adds the identity with which the token was requested.
  fileprivate mutating func add(identity: [String]) {
    guard !identity.isEmpty else { return }
    lines = identity + lines
    let json = JSONWriter.text { json in json.array(identity) { $0.put(string: $1) } }
    members.append(("identity", json))
  }
}
