import MapPage
import Tripwire
import WireSystem

/// Shows followed trips on a page in browsers.
struct MapDisplay: FollowDisplay {
  /// A page that nobody opened counts as closed this long after the last trip ended.
  private static let unopenedLimit = Duration.seconds(60)
  /// A page that is closed may be reloading.
  private static let reloadLimit = Duration.seconds(3)

  let server: any PageServer
  let failsFast: Bool
  /// Whether the trips come from a recording, with times in the past.
  let isReplayed: Bool
  /// Whether to wait for the readers of the page at the end.
  let waitsForPages: Bool
  let console: Console

  func show(_ target: FollowTarget, _ update: FollowUpdate) async throws(ErrorReport) {
    let report = update.failure.map { target.report(of: $0, isLast: failsFast) }
    let now = ContinuousClock.now
    let time = WallTime.now
    func wallTime(_ instant: ContinuousClock.Instant) -> Double {
      time - (now - instant) / .seconds(1)
    }
    let failure = update.failure.map { failure in
      MapFacts.Failure(
        code: "\(failure.error.code)",
        message: console.redactor.redacted(report?.message ?? ""), since: wallTime(failure.since))
    }
    var facts = MapFacts(
      update.resource, updated: update.refreshed.map(wallTime),
      staleAfter: 3 * (update.refreshInterval / .seconds(1)), failure: failure)
    if isReplayed, let reported = update.resource?.lastLocation?.reportTime {
      facts.delay = time - Double(reported)
    }
    server.publish(target.name, MapFrame(facts).json)
    guard update.failureChanged, let report else { return }
    if failsFast { throw report }
    _ = console.report(report, as: .text)
  }

  func keepFresh() async throws(ErrorReport) {}

  func untilUnused() async {
    guard waitsForPages else { return }
    var lastPage = ContinuousClock.now
    var limit = Self.unopenedLimit
    while .now - lastPage < limit {
      if server.pageCount > 0 { (lastPage, limit) = (.now, Self.reloadLimit) }
      guard await console.sleep(for: .milliseconds(200)) else { return }
    }
  }
}
