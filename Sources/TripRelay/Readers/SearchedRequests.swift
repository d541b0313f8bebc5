package import FleetEngineAPI
package import WireGRPC
import WireIO

/// Searches again and again, and keeps the resources that are found requested.
///
/// ``SearchSchedule`` decides when.
package actor SearchedRequests {
  package enum Failure: Error {
    case nats(NATSError)
    /// The first search failed, and no retry will help.
    case search(CallError)
  }

  package enum Report: Sendable {
    /// A problem with NATS begins or ends.
    case nats(ProblemLog.Report)
    /// - Parameter pause: the time to the next search.
    case searchFailed(CallError, pause: Duration)
    /// A search succeeds after some failures.
    case searchRecovered(CallError, count: Int, after: Duration)
    /// The first search succeeded.
    case found(Int)
  }

  /// Searches, and passes each page on. Resources that are over are left out.
  package typealias Search =
    @Sendable (_ page: @Sendable ([ResourceName]) async -> Void) async throws(CallError) -> Void

  private struct Problem {
    let error: CallError
    let began: ContinuousClock.Instant
    var count = 1
  }

  private let client: RelayClient
  private let requests: PollRequests
  private let search: Search
  private let report: @Sendable (Report) -> Void
  private let problems: ProblemLog
  private var schedule: SearchSchedule
  /// Why the last search failed.
  private var problem: Problem?
  /// Whether a search has succeeded.
  private var hasFound = false
  private var fatal: NATSError?

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe client.loop.asUnownedSerialExecutor()
  }

  /// - Parameters:
  ///   - interval: the time from one search to the next.
  ///   - search: is called for one search at a time.
  package init(
    _ client: RelayClient, every interval: Duration, search: @escaping Search,
    report: @escaping @Sendable (Report) -> Void
  ) {
    self.client = client
    self.search = search
    self.report = report
    requests = PollRequests(client)
    problems = ProblemLog { report(.nats($0)) }
    schedule = SearchSchedule(interval: interval, at: .now)
  }

  /// Searches until the task is canceled. The requests then end by themselves.
  package func run() async throws(Failure) {
    do throws(NATSError) {
      try await requests.prepare()
    } catch {
      throw .nats(error)
    }
    client.onEvent(of: self) { $0.take($1) }
    repeat {
      if let fatal { throw .nats(fatal) }
      problems.check(at: .now)
      switch schedule.next(at: .now) {
      case .search: try await find()
      case .request(let names): await request(names)
      case nil: break
      }
    } while await client.loop.sleep(until: .now + .milliseconds(200))
  }

  private func take(_ event: NATSConnection.Event) {
    switch event {
    case .disconnected:
      problems.add(client.disconnection("the requests continue when NATS is reachable again"))
    case .reconnected:
      problems.reconnected(at: .now)
      schedule.reconnected(at: .now)
    case .closed(let error): fatal = error
    case .error(let error): problems.add(error)
    }
  }

  // MARK: Searches

  private func find() async throws(Failure) {
    do throws(CallError) {
      try await search { [self] names in await found(names) }
    } catch {
      guard !Task.isCancelled else { return }
      guard hasFound || error.kind != .client || error.code.named == .resourceExhausted else {
        throw .search(error)
      }
      let pause = schedule.searchFailed(error, at: .now, random: Double.random(in: 0..<1))
      return failed(error, pause)
    }
    schedule.searchEnded(at: .now)
    if let problem = problem.take() {
      let time = ContinuousClock.now - problem.began
      report(.searchRecovered(problem.error, count: problem.count, after: time))
    }
    if !hasFound { report(.found(schedule.count)) }
    hasFound = true
  }

  private func failed(_ error: CallError, _ pause: Duration) {
    if problem?.error.code == error.code {
      problem?.count += 1
    } else {
      problem = Problem(error: error, began: problem?.began ?? .now)
      report(.searchFailed(error, pause: pause))
    }
  }

  private func found(_ names: [ResourceName]) async {
    let names = names.filter { name in
      do throws(NATSError) {
        try RelayNames.check(name)
        return true
      } catch {
        problems.add(error)
        return false
      }
    }
    let due = schedule.found(names, at: .now)
    if !due.isEmpty { await request(due) }
  }

  // MARK: Requests

  private func request(_ names: [ResourceName]) async {
    let time = ContinuousClock.now
    do throws(NATSError) {
      try await requests.add(names, for: schedule.lease)
      schedule.requested(names, at: time)
    } catch {
      schedule.requestFailed(at: .now, random: Double.random(in: 0..<1))
      if error.kind != .disconnected { problems.add(error) }
    }
  }
}
