import FleetEngineAPI
import Synchronization
import Testing

@testable import Tripwire

/// The source of the article "Trips from a source".
@Suite(.timeLimit(.minutes(20))) struct DispatcherTests {
  private final class Dispatcher: TripSource {
    private struct State {
      var trips: [String: Trip] = [:]
      var reports: [String: @Sendable (TripReport) -> Void] = [:]
    }
    private let state = Mutex(State())

    func follow(
      _ tripName: TripName, report: @escaping @Sendable (TripReport) -> Void
    ) -> @Sendable () -> Void {
      let name = tripName.description
      state.withLock { state in
        state.reports[name] = report
        // The trip may have been entered before.
        if let trip = state.trips[name] { report(TripReport(trip: trip)) }
      }
      return { [self] in state.withLock { $0.reports[name] = nil } }
    }

    func enter(_ trip: Trip) {
      // `report` returns at once. Under the lock, its calls do not overlap.
      state.withLock { state in
        state.trips[trip.name] = trip
        state.reports[trip.name]?(TripReport(trip: trip))
      }
    }
  }

  private let source = Dispatcher()

  private func model() throws -> TripModel {
    try FleetServices(providerID: "p", source: source).tripService
      .tripModel(forTripName: "providers/p/trips/t")
  }

  @Test func tripEnteredInTheFirstUpdateIsReceived() async throws {
    var statuses: [TripStatus?] = []
    for await update in try model().updates {
      statuses.append(update.trip?.tripStatus)
      source.enter(trip(statuses.count == 1 ? .enrouteToPickup : .complete))
    }
    #expect(statuses == [nil, .enrouteToPickup, .complete])
  }

  @Test func tripEnteredBeforeItsReaderIsReceived() async throws {
    source.enter(trip(.complete))
    let last = try await model().updates.reduce(nil) { $1.trip?.tripStatus }
    #expect(last == .complete)
  }
}
