import Tripwire
import WireSystem

/// The server that a command calls, and all that its calls have in common.
struct Server: Sendable {
  /// `HOST:PORT`.
  let endpoint: String
  let configuration: ChannelConfiguration
  let tokens: TokenCache?
  /// When the command began: what it reads first counts as time of the call.
  let start: ContinuousClock.Instant
  fileprivate let options: RequestOptions

  /// When to give up waiting for files that are pipes; nil if --timeout does not say.
  var filesDeadline: ContinuousClock.Instant? { options.timeout.map { start + $0 } }

  /// Whether it is told who asks.
  var isToldWhoAsks: Bool { tokens != nil || options.headers["authorization"] != nil }

  /// - Parameters:
  ///   - policy: when the API wants failed calls tried again. Where it does not say and --retries does,
  ///     as Fleet Engine has it.
  ///   - isOnlyCall: whether --timeout is for the whole command, and not for each of its calls.
  func callOptions(_ policy: RetryPolicy?, isOnlyCall: Bool = false) -> CallOptions {
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
  /// Hands the server to `body`, which Ctrl-C cancels. One from a recording runs as long; a signal ends
  /// the process at once while that is loaded.
  ///
  /// - Parameters:
  ///   - start: when the time of `--timeout` began.
  ///   - isShort: whether `body` waits for nothing but the server, so that it can run on the console's
  ///     own loop.
  func withServer<Success: Sendable>(
    _ console: Console, since start: ContinuousClock.Instant = .now, isShort: Bool = true,
    _ body: @escaping @Sendable (Server) async throws(ErrorReport) -> Success
  ) async throws(ErrorReport) -> Success {
    let warn = { @Sendable (warning: String) in
      if output.errorFormat == .text { console.warn(warning) }
    }
    var running: RunningReplay?
    if let replay = connection.replay {
      running = try await RunningReplay(
        of: [replay], connection.playback.configuration,
        until: start + (request.timeout ?? LocalFile.patience), warn: warn)
    }
    return try await interruptible(on: isShort ? console.loop : nil) {
      [running]
      () async throws(ErrorReport) -> Success in
      let deadline = request.timeout.map { start + $0 }
      let tokens = try token.source.map { (source) throws(ErrorReport) in
        TokenCache(
          try source.provider(until: deadline),
          report: { [output] refusal in
            if output.isVerbose { console.error("* \(escaped(refusal.description))\n") }
          })
      }
      return try await record.recorded(warn: warn) {
        (recorder) async throws(ErrorReport) -> Success in
        let interceptors: [any ClientInterceptor] = recorder.map { [$0] } ?? []
        guard let running else {
          let endpoint = connection.endpoint ?? FleetServices.defaultEndpoint
          return try await body(
            server(endpoint, tls.security, tokens, interceptors, start, console))
        }
        defer { withExtendedLifetime(running) {} }
        return try await body(
          server(running.address, .plaintext, tokens, interceptors, start, console))
      }
    }
  }

  private func server(
    _ endpoint: String, _ security: ChannelConfiguration.Security, _ tokens: TokenCache?,
    _ interceptors: [any ClientInterceptor], _ start: ContinuousClock.Instant, _ console: Console
  ) -> Server {
    var configuration = ChannelConfiguration(
      security: security, proxy: connection.replay == nil ? connection.proxy : .none,
      authority: connection.authority,
      userAgentPrefix: "tripwire-cli/\(libraryVersion)", failFast: true)
    configuration.loop = console.loop
    configuration.interceptors = interceptors
    configuration.redactor = console.redactor
    // A typing mistake in the endpoint is told at once, unless patience was asked for.
    configuration.retriesConnecting = request.retries != nil
    if output.isVerbose { configuration.trace = TraceLog(console).write }
    configuration.filesDeadline = start + (request.timeout ?? LocalFile.patience)
    return Server(
      endpoint: endpoint, configuration: configuration, tokens: tokens, start: start,
      options: request)
  }
}
