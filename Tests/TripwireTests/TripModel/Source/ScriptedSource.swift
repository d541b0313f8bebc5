import FleetEngineAPI
import WireSystem

@testable import Tripwire

/// A source whose reports a test sends one by one.
final class ScriptedSource: TripSource {
  private struct State {
    var reports: [String: @Sendable (TripReport) -> Void] = [:]
    var started: [String] = []
    var stopped: [String] = []
  }

  private let state = Locked(State())

  func follow(
    _ tripName: TripName, report: @escaping @Sendable (TripReport) -> Void
  ) -> @Sendable () -> Void {
    let name = tripName.description
    state.withLock { state in
      state.started.append(name)
      state.reports[name] = report
    }
    return { [self] in
      state.withLock { state in
        state.stopped.append(name)
        // It holds the receiver, which holds this source.
        state.reports[name] = nil
      }
    }
  }

  var started: [String] { state.withLock { $0.started } }
  var stopped: [String] { state.withLock { $0.stopped } }

  /// The closure of the last call for a trip.
  func receiver(of name: String) async -> @Sendable (TripReport) -> Void {
    while true {
      if let report = state.withLock({ $0.reports[name] }) { return report }
      await Task.yield()
    }
  }

  func send(_ report: TripReport, to name: String = "providers/p/trips/t") async {
    await receiver(of: name)(report)
  }
}

/// A trip for reports.
func trip(_ status: TripStatus = .enrouteToPickup, distance: Int32? = nil) -> Trip {
  Trip(name: "providers/p/trips/t", tripStatus: status, remainingDistanceMeters: distance)
}
