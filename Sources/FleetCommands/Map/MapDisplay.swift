import CommandResources
import CommandShell
import HTTPServer
import MapPage
import Tripwire
import WireSystem

/// Shows followed resources on a page in browsers.
final class MapDisplay: FollowDisplay {
  /// A page that nobody opened counts as closed this long after the last resource reached its end.
  private static let unopenedLimit = Duration.seconds(60)
  /// A page that is closed may be reloading.
  private static let reloadLimit = Duration.seconds(3)

  private let server: HTTPServer
  private let failsFast: Bool
  private let isReplayed: Bool
  private let waitsForPages: Bool
  private let console: Console
  private let routeWarnings: RouteWarnings
  let printed: PrintedErrors?
  /// By how many seconds the times of replayed resources are in the past. That of the last location applies
  /// to resources without a location, too.
  private let delay = Locked<Double>(0)

  /// - Parameters:
  ///   - failsFast: whether the first error ends the command.
  ///   - isReplayed: whether the resources come from a recording, with times in the past.
  ///   - waitsForPages: whether to wait for the readers of the page at the end.
  init(
    _ server: HTTPServer, failsFast: Bool, isReplayed: Bool, waitsForPages: Bool,
    _ console: Console, errorFormat: ErrorFormat
  ) {
    self.server = server
    self.failsFast = failsFast
    self.isReplayed = isReplayed
    self.waitsForPages = waitsForPages
    self.console = console
    routeWarnings = RouteWarnings(console)
    printed = PrintedErrors(console, as: errorFormat)
  }

  func show(_ target: FollowTarget, _ update: FollowUpdate) async throws(ErrorReport) {
    let report = update.failure.map { target.report(of: $0, isLast: failsFast) }
    let now = ContinuousClock.now
    let time = WallTime.now
    func wallTime(_ instant: ContinuousClock.Instant) -> Double {
      time - (now - instant) / .seconds(1)
    }
    let failure = update.failure.map { failure in
      MapFacts.Failure(
        code: "\(failure.error.code.named)",
        message: console.redactor.redacted(report?.message ?? ""), since: wallTime(failure.since))
    }
    var facts = MapFacts(
      update.resource, updated: update.refreshed.map(wallTime), isStale: update.isStale,
      failure: failure)
    if isReplayed {
      if let reported = update.resource?.lastLocation?.reportTime {
        delay.withLock { $0 = time - Double(reported) }
      }
      facts.delay = delay.withLock { $0 }
    }
    let frame = MapFrame(facts)
    routeWarnings.check(frame.journey)
    server.publish(target.name, frame.json)
    guard update.failureChanged, let report else { return }
    if failsFast { throw report }
    printed?.print(report)
  }

  func keepFresh() async throws(ErrorReport) {}

  func untilUnused() async {
    guard waitsForPages else { return }
    var lastPage = ContinuousClock.now
    var limit = Self.unopenedLimit
    while .now - lastPage < limit {
      if server.connectedPages > 0 { (lastPage, limit) = (.now, Self.reloadLimit) }
      guard await console.sleep(for: .milliseconds(200)) else { return }
    }
  }
}
