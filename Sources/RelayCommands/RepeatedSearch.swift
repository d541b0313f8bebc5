import CommandLine
import CommandResources
import CommandShell
import TripRelay
import Tripwire

/// The search of `tripwire relay want --search`.
struct RepeatedSearch: Sendable {
  private let query: SearchQuery
  private let server: Server
  private let fleet: FleetServices
  private let interval: Duration
  private let output: OutputOptions
  private let console: Console

  init(
    _ query: SearchQuery, of server: Server, every interval: Duration, _ output: OutputOptions,
    _ console: Console
  ) throws(ErrorReport) {
    (self.query, self.server, self.interval) = (query, server, interval)
    (self.output, self.console) = (output, console)
    fleet = try mapError(server.fleet()) { (error: CallError) in ErrorReport(local: error.message) }
  }

  /// Searches until the task is canceled.
  func run(_ client: RelayClient) async throws(ErrorReport) {
    let requests = SearchedRequests(
      client, every: interval,
      search: { page throws(CallError) in try await search(page) }, report: { report($0) })
    do throws(SearchedRequests.Failure) {
      try await requests.run()
    } catch {
      switch error {
      case .nats(let error): throw ErrorReport(error)
      case .search(let error): throw report(of: error)
      }
    }
  }

  private func search(
    _ found: @Sendable ([ResourceName]) async -> Void
  ) async throws(CallError) {
    var pages = SearchPages(query, of: fleet, server, isOnlyCall: false)
    while let page = try await pages.next() {
      await found(page.results.filter { !$0.isOver }.compactMap { try? ResourceName($0.name) })
    }
    if pages.isTokenRepeated {
      // Other results may be missing.
      throw CallError(
        code: .internal, message: "the server repeats a page token", origin: .server)
    }
  }

  // MARK: Reports

  private func report(_ report: SearchedRequests.Report) {
    switch report {
    case .nats(let problem): console.report(problem)
    case .searchFailed(let error, let pause):
      _ = console.report(self.report(of: error), as: output.errorFormat)
      if !console.isQuiet { console.error("the search is repeated in \(Units.seconds(pause))\n") }
    case .searchRecovered(let error, let count, let time):
      console.reportEnd(of: self.report(of: error).message, count: count, after: time)
    case .found(let count):
      guard !console.isQuiet else { return }
      console.error(
        "\(query.noun) found: \(count); searches every \(Units.seconds(interval))\n")
    }
  }

  private func report(of error: CallError) -> ErrorReport {
    var error = error
    error.path = query.path
    return ErrorReport(error, server.hint(about: .method(String(query.path.dropFirst()))))
  }
}

extension SearchResult {
  /// Whether workers would not poll it.
  fileprivate var isOver: Bool { (self as? any FollowedResource)?.isFinal ?? false }
}
