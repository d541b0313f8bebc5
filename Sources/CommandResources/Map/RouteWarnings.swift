package import CommandShell
package import JourneySharing
import WireSystem

/// Warns once for each resource that the map lacks a route.
package final class RouteWarnings: Sendable {
  private let console: Console
  private let names = Locked(Set<String>())

  package init(_ console: Console) {
    self.console = console
  }

  package func check(_ journey: Journey?) {
    guard let journey, let error = journey.polylineError,
      names.withLock({ $0.insert(journey.name).inserted })
    else { return }
    console.warn(
      "\(journey.name): a route or its traffic cannot be decoded and is not shown: \(error)")
  }
}
