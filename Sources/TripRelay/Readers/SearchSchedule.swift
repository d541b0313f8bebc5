import FleetEngineAPI
import Tripwire
import WireGRPC

/// Decides when to search, and when to request the resources that were found. Knows no clock and no I/O.
///
/// Each resource is requested for several intervals, and again before that time is over. The request for a resource
/// that a search no longer finds ends by itself. While searches fail, the results of the last one stay requested.
struct SearchSchedule: Sendable {
  enum Command: Sendable, Hashable {
    /// Search, call `found` for each page, and then `searchEnded` or `searchFailed`.
    case search
    /// Request resources, and call `requested` or `requestFailed`.
    case request([ResourceName])
  }

  private struct Resource {
    /// When it was requested last.
    var requested: ContinuousClock.Instant?
    /// The number of the last search that found it.
    var search: Int
  }

  private static let firstPause = Duration.seconds(1)
  private static let longestPause = Duration.seconds(30)

  private let interval: Duration
  /// The time from one search to the next: the interval, or the last search if it took longer.
  private var period: Duration
  private var resources: [ResourceName: Resource] = [:]
  private var search = 0
  /// When the present search began; nil between two searches.
  private var began: ContinuousClock.Instant?
  private var nextSearch: ContinuousClock.Instant
  /// When to request resources without a search; nil for never.
  private var nextRequest: ContinuousClock.Instant?
  private var failures = (searches: 0, requests: 0)

  init(interval: Duration, at now: ContinuousClock.Instant) {
    self.interval = interval
    period = interval
    nextSearch = now
  }

  /// How long resources are requested.
  var lease: Duration { period * 4 }

  /// The number of resources that were found.
  var count: Int { resources.count }

  mutating func next(at now: ContinuousClock.Instant) -> Command? {
    if let nextRequest, now >= nextRequest {
      self.nextRequest = nil
      let due = resources.filter { isDue($0.value, at: now) }
      if !due.isEmpty { return .request(Array(due.keys)) }
    }
    guard began == nil, now >= nextSearch else { return nil }
    began = now
    search += 1
    return .search
  }

  private func isDue(_ resource: Resource, at now: ContinuousClock.Instant) -> Bool {
    // At every other search.
    resource.requested.map { now - $0 >= period * 3 / 2 } ?? true
  }

  // MARK: Searches

  /// Takes a page of the present search, and returns the resources to request now.
  mutating func found(
    _ names: [ResourceName], at now: ContinuousClock.Instant
  ) -> [ResourceName] {
    var due: [ResourceName] = []
    for name in names {
      var resource = resources[name] ?? Resource(search: search)
      resource.search = search
      resources[name] = resource
      if isDue(resource, at: now) { due.append(name) }
    }
    // After a failure, all that are due are requested later.
    return nextRequest == nil ? due : []
  }

  /// All pages were taken.
  mutating func searchEnded(at now: ContinuousClock.Instant) {
    guard let began = began.take() else { return }
    period = max(interval, now - began)
    resources = resources.filter { $0.value.search == search }
    failures.searches = 0
    nextSearch = max(now, began + interval)
  }

  /// - Parameter random: from 0 up to 1.
  /// - Returns: the time to the next search.
  @discardableResult
  mutating func searchFailed(
    _ error: CallError, at now: ContinuousClock.Instant, random: Double
  ) -> Duration {
    began = nil
    failures.searches += 1
    let longest = max(Self.longestPause, interval)
    var pause =
      error.kind == .client
      ? interval
      : Backoff.pause(
        after: failures.searches, first: Self.firstPause, longest: longest, random: random)
    if let delay = error.requestedDelay { pause = max(pause, delay * (1 + random / 10)) }
    nextSearch = now + pause
    nextRequest = nextRequest ?? now
    return pause
  }

  // MARK: Requests

  /// Resources were requested.
  ///
  /// - Parameter time: when the requests were sent.
  mutating func requested(_ names: [ResourceName], at time: ContinuousClock.Instant) {
    for name in names { resources[name]?.requested = time }
    failures.requests = 0
  }

  /// - Parameter random: from 0 up to 1.
  mutating func requestFailed(at now: ContinuousClock.Instant, random: Double) {
    failures.requests += 1
    nextRequest =
      now
      + Backoff.pause(
        after: failures.requests, first: Self.firstPause, longest: Self.longestPause,
        random: random)
  }

  /// NATS may have lost the requests while it was away.
  mutating func reconnected(at now: ContinuousClock.Instant) {
    for name in resources.keys { resources[name]?.requested = nil }
    nextRequest = now
  }
}
