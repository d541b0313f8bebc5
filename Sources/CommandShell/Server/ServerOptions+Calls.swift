import CommandLine
package import Tripwire
import TripwireGoogleAuth
package import WireIO
import WireSystem

/// The server that a command calls, and the options that all its calls share.
package struct Server: Sendable {
  /// `HOST:PORT`.
  package let endpoint: String
  package var configuration: ChannelConfiguration
  package fileprivate(set) var tokens: TokenCache?
  /// The source of the token, "--token-command"; nil without a token.
  fileprivate var tokenOption: String?
  /// Returns the members of IAM behind the token.
  fileprivate var principals: @Sendable () -> TokenPrincipals = { TokenPrincipals() }
  /// Knows the tokens that were sent; nil without a token.
  fileprivate let tokenWarnings: TokenWarnings?
  package let endpointSource: EndpointSource
  /// When the command began: the time to read files counts as time of the call.
  let start: ContinuousClock.Instant
  fileprivate let options: RequestOptions
  /// The sources of the command's options.
  fileprivate let sources: [String: ValueSource]

  /// When the time of --timeout for the whole command ends; nil without it.
  package var deadline: ContinuousClock.Instant? { options.timeout.map { start + $0 } }

  /// Whether --header sets `authorization`.
  package var hasAuthorization: Bool { options.headers["authorization"] != nil }

  /// Returns the hint for failed calls.
  package func hint(about subject: Hint.Subject) -> Hint {
    Hint(
      endpoint: endpoint, subject: subject,
      hasToken: tokens != nil || hasAuthorization, tokenOption: tokenOption,
      sentToken: { [tokenWarnings] in tokenWarnings?.lastToken(for: subject.name) },
      principals: principals,
      endpointSource: endpointSource,
      hasProxyOption: configuration.proxy != .environment, sources: sources)
  }

  /// Returns the services of the server, for full names of resources.
  package func fleet() throws(CallError) -> FleetServices {
    try FleetServices(
      providerID: "", endpoint: endpoint, tokenProvider: tokens, configuration: configuration)
  }

  /// Returns the server with another source of tokens.
  package func using(_ provider: any AuthTokenProvider, from source: TokenSource) -> Server {
    var server = self
    (server.tokens, server.tokenOption) = (TokenCache(provider), source.option)
    server.principals = { TokenNetwork.principals(of: provider) }
    return server
  }

  /// - Parameters:
  ///   - policy: the retry policy of the API; nil if it has none. With --retries, the default is that of
  ///     Fleet Engine.
  ///   - isOnlyCall: whether --timeout is for the whole command, and not for each of its calls.
  package func callOptions(_ policy: RetryPolicy?, isOnlyCall: Bool = false) -> CallOptions {
    var retryPolicy = policy
    if let retries = options.retries {
      retryPolicy = retryPolicy ?? TripServiceMethods.getTrip.retryPolicy
      retryPolicy?.maxAttempts = retries + 1
    }
    return CallOptions(
      timeout: options.timeout.map { isOnlyCall ? $0 - (.now - start) : $0 },
      metadata: options.headers,
      maxReceiveMessageSize: options.maxMessageSize, retryPolicy: retryPolicy)
  }
}

extension ServerOptions {
  /// Calls `body` with the server. Ctrl-C cancels it. The server of a recording runs until `body` ends;
  /// while the recording is loaded, a signal ends the process at once.
  ///
  /// - Parameters:
  ///   - loop: where `body` runs; nil selects the concurrent pool. On the console's loop it must only
  ///     wait for the server.
  ///   - start: when the time of `--timeout` began.
  ///   - isOnlyCall: whether --timeout limits the whole command, and not each of its calls.
  package func withServer<Success: Sendable>(
    _ console: Console, on loop: EventLoop?, since start: ContinuousClock.Instant = .now,
    isOnlyCall: Bool = true,
    _ body: @escaping @Sendable (Server) async throws(ErrorReport) -> Success
  ) async throws(ErrorReport) -> Success {
    let warn = { @Sendable (warning: String) in console.warn(warning) }
    defer { console.waitLine.end() }
    let headerWarnings = checkHeader(console, warn)
    var running: RunningReplay?
    if let replay = connection.replay {
      console.waitLine.show("reading \(replay)")
      running = try await RunningReplay(
        of: [replay], connection.playback.configuration, option: "--replay",
        until: isOnlyCall ? request.timeout.map { start + $0 } : nil,
        pipesUntil: start + (request.timeout ?? LocalFile.defaultTimeout), warn: warn)
    }
    return try await interruptible(on: loop) {
      [running]
      () async throws(ErrorReport) -> Success in
      let deadline = request.timeout.map { start + $0 }
      let trace = { @Sendable [output] (text: String) in
        if output.isVerbose { console.error("* \(escaped(text))\n") }
      }
      if isOnlyCall {
        let place = connection.destination
        let isOfProgram = token.command != nil && running == nil
        console.waitLine.show(
          isOfProgram ? "waiting for a token for \(place)" : "connecting to \(place)")
      }
      let (source, provider) = try tokenProvider(
        on: TokenNetwork(connection, tls, console, output, timeout: request.timeout),
        until: deadline, warn, trace)
      let warnings =
        source.map { tokenWarnings(of: sources.label(of: $0.option), console, warn) }
        ?? headerWarnings
      let tokens = provider.map { tokenCache($0, warnings, trace) }
      return try await record.recorded(warn: warn) {
        (recorder) async throws(ErrorReport) -> Success in
        let interceptors: [any ClientInterceptor] = recorder.map { [$0] } ?? []
        defer { withExtendedLifetime(running) {} }
        let endpoint = running?.address ?? connection.endpoint ?? FleetServices.defaultEndpoint
        let security = running == nil ? tls.security : .plaintext
        var server = server(
          endpoint, security, tokens, source, warnings, interceptors, start, console, warn)
        if let provider { server.principals = { TokenNetwork.principals(of: provider) } }
        return try await body(server)
      }
    }
  }

  /// The reason why the server does not get the access token of this machine unless an option asks for it; nil if it
  /// does.
  package var obstacleForDefault: String? {
    DefaultAccessTokens(
      endpoint: connection.destination, isRecording: connection.replay != nil, tls: tls,
      authority: connection.authority
    ).obstacle
  }

  /// Returns the source of the token and its provider: that of the options, or the access token of this machine. A
  /// recording needs no token, so that nobody is asked for one.
  package func tokenProvider(
    on network: TokenNetwork, until deadline: ContinuousClock.Instant?,
    _ warn: (String) -> Void, _ trace: (String) -> Void
  ) throws(ErrorReport) -> (source: TokenSource?, provider: (any AuthTokenProvider)?) {
    guard let source = tokenSource(network.environment, warn, trace) else { return (nil, nil) }
    let provider = try source.provider(
      on: network, quotaProjectID: token.quotaProjectID, sources, until: deadline, warn)
    guard let provider else { return (nil, nil) }
    if let tokens = provider as? AccessTokens {
      trace("calls have the access token of \(tokens.credentials.name)")
    } else if let tokens = provider as? SignJWTTokens {
      trace("tokens are signed by Google, for the access token of \(tokens.credentials.name)")
    }
    return (source, provider)
  }

  /// Returns the source that the options name, or this machine; nil for calls without a token.
  private func tokenSource(
    _ environment: Environment, _ warn: (String) -> Void, _ trace: (String) -> Void
  ) -> TokenSource? {
    if let source = token.source {
      guard connection.replay == nil else {
        trace("\(sources.label(of: source.option)) is not used: a recording answers the calls")
        return nil
      }
      if case .accessToken = source, obstacleForDefault != nil {
        warn(
          "\(sources.label(of: source.option)): sending this token, which grants everything that its account may do, to"
            + " \(escaped(connection.destination))")
      }
      return source
    }
    guard token.usesDefault, request.headers["authorization"] == nil else { return nil }
    guard let obstacle = obstacleForDefault else {
      return .accessToken(.machine(isVariable: environment[DefaultAccessTokens.variable] != nil))
    }
    if ApplicationDefaultCredentials(environment).path != nil {
      trace("the credentials of this machine are not used: \(obstacle)")
    }
    return nil
  }

  /// Warns about an expired token in --header. Returns nil if there is no token.
  private func checkHeader(
    _ console: Console, _ warn: @escaping @Sendable (String) -> Void
  ) -> TokenWarnings? {
    let scheme = "bearer "
    guard let value = request.headers["authorization"], value.lowercased().hasPrefix(scheme)
    else { return nil }
    let warnings = tokenWarnings(of: "--header authorization", console, warn)
    warnings?.check(String(value.dropFirst(scheme.count)), for: .any)
    return warnings
  }

  /// Returns nil for the server of a recording, which accepts any token.
  ///
  /// - Parameter option: the source of the token.
  private func tokenWarnings(
    of option: String, _ console: Console, _ warn: @escaping @Sendable (String) -> Void
  ) -> TokenWarnings? {
    connection.replay == nil ? TokenWarnings(of: option, clock: console.clock, warn: warn) : nil
  }

  private func tokenCache(
    _ provider: any AuthTokenProvider, _ warnings: TokenWarnings?,
    _ trace: @escaping @Sendable (String) -> Void
  ) -> TokenCache {
    var willSend: (@Sendable (AuthToken, AuthorizationContext) -> Void)?
    if let warnings { willSend = { warnings.check($0.value, for: $1) } }
    return TokenCache(provider, willSend: willSend, report: { trace($0.description) })
  }

  private func server(
    _ endpoint: String, _ security: ChannelConfiguration.Security, _ tokens: TokenCache?,
    _ source: TokenSource?, _ tokenWarnings: TokenWarnings?,
    _ interceptors: [any ClientInterceptor],
    _ start: ContinuousClock.Instant, _ console: Console,
    _ warn: @escaping @Sendable (String) -> Void
  ) -> Server {
    let given = endpoint
    let (endpoint, authority) = connection.place(of: given)
    var configuration = ChannelConfiguration(
      security: security, proxy: connection.replay == nil ? connection.proxy : .none,
      authority: authority,
      userAgentPrefix: "tripwire-cli/\(libraryVersion)", failFast: true)
    configuration.loop = console.loop
    configuration.interceptors = interceptors
    configuration.redactor = console.redactor
    // A typing mistake in the endpoint is reported at once, unless --retries was given.
    configuration.retriesConnecting = request.retries != nil
    // One limit for the connection and the call.
    configuration.connectTimeout = max(configuration.connectTimeout, request.timeout ?? .zero)
    configuration.keyLogFailed = tls.keyLogFailed(warn)
    configuration.trace = TraceLog(output, console)?.write
    if console.errorIsTerminal() {
      configuration.metrics = { [waitLine = console.waitLine] metric in
        if case .connectionOpened = metric { waitLine.show("waiting for \(endpoint)") }
      }
    }
    configuration.filesDeadline = start + (request.timeout ?? LocalFile.defaultTimeout)
    return Server(
      endpoint: endpoint, configuration: configuration, tokens: tokens,
      tokenOption: source?.option,
      tokenWarnings: tokenWarnings,
      endpointSource: endpoint == given ? endpointSource : .connectTo, start: start,
      options: request.charged(
        to: sources["quota-project"] == .option && source?.signs != true
          ? token.quotaProjectID : nil),
      sources: sources)
  }
}

extension RequestOptions {
  /// - Parameter quotaProjectID: the project for the header of all calls, whatever their token is.
  fileprivate func charged(to quotaProjectID: String?) -> RequestOptions {
    guard let quotaProjectID, headers["x-goog-user-project"] == nil else { return self }
    var options = self
    options.headers.append(contentsOf: ["x-goog-user-project": .text(quotaProjectID)])
    return options
  }
}
