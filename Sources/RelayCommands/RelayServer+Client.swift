import CommandLine
import CommandShell
import TripRelay
import WireIO

extension RelayServer {
  /// Calls `body` with a connection to NATS.
  func connected<Success: Sendable>(
    on loop: EventLoop, _ body: (RelayClient) async throws(NATSError) -> Success
  ) async throws(NATSError) -> Success {
    var options = NATSOptions()
    if let url { options.url = url }
    options.credentialsFile = credentialsFile
    options.trustFile = trustFile
    options.certificateFile = certificateFile
    options.keyFile = keyFile
    if let inboxPrefix { options.inboxPrefix = inboxPrefix }
    options.domain = domain
    let client = try await RelayClient.connect(options, on: loop)
    defer { client.close() }
    return try await body(client)
  }

  /// The same, for commands that end with the first failure.
  func withClient<Success: Sendable>(
    on loop: EventLoop, _ body: (RelayClient) async throws(NATSError) -> Success
  ) async throws(ErrorReport) -> Success {
    do throws(NATSError) {
      return try await connected(on: loop, body)
    } catch {
      throw ErrorReport(error)
    }
  }

  /// The same, for a body with failures of other kinds.
  func withClient<Success: Sendable>(
    on loop: EventLoop, _ body: (RelayClient) async throws(ErrorReport) -> Success
  ) async throws(ErrorReport) -> Success {
    let result = try await withClient(on: loop) {
      client throws(NATSError) -> Result<Success, ErrorReport> in
      do throws(ErrorReport) {
        return .success(try await body(client))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}

extension Console {
  /// Reports a problem of the relay that does not end the command.
  func report(_ problem: NATSError) {
    warn(problem.message)
    if let hint = problem.hint, !isQuiet { error("hint: \(escaped(hint))\n") }
  }

  func report(_ report: ProblemLog.Report) {
    switch report {
    case .began(let problem): self.report(problem)
    case .ended(let problem, let count, let time):
      reportEnd(of: problem.message, count: count, after: time)
    }
  }

  /// Reports that a problem is over.
  func reportEnd(of problem: String, count: Int, after time: Duration) {
    guard !isQuiet else { return }
    let times = count > 1 ? ", \(Units.count(count, "time")) in \(Units.seconds(time))" : ""
    error("over: \(escaped(problem + times))\n")
  }
}

extension ErrorReport {
  init(_ error: NATSError) {
    self.init(local: escaped(error.message), hint: error.hint)
  }
}
