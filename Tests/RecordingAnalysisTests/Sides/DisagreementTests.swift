import Testing
import Tripwire
import WireProtobuf

@testable import RecordingAnalysis

@Suite struct DisagreementTests {
  /// - Parameter trip: the state at a time in seconds.
  private static func states(
    _ times: ClosedRange<Int>, _ trip: (Double) -> Trip = { SidesLog.trip($0) }
  ) -> ObserverStates {
    var states = ObserverStates()
    for time in stride(from: Double(times.lowerBound), through: Double(times.upperBound), by: 5) {
      states.add(.trip(trip(time)), at: Timestamp(secondsSince1970: time) ?? Timestamp())
    }
    return states
  }

  @Test func aMissingLocationIsADifference() throws {
    let whole = Self.states(1_000...1_200)
    let partial = Self.states(1_000...1_200) {
      var trip = SidesLog.trip($0)
      if 1_050..<1_100 ~= $0 { trip.lastLocation = nil }
      return trip
    }
    let found = try #require(Disagreement.all(whole, partial))
    #expect(found.map(\.aspect) == [.location])
    #expect(found[0].start == 1_050 && found[0].end == 1_100)
    #expect(found[0].behind == .second && found[0].largest == 0)
    #expect(Disagreement.all(partial, whole)?.map(\.behind) == [.first])
  }

  @Test func logsOfOtherTimesCannotBeCompared() {
    #expect(Disagreement.all(Self.states(0...100), Self.states(200...300)) == nil)
    #expect(Disagreement.all(Self.states(0...100), Self.states(100...200)) == [])
  }

  @Test func theETAOfAVehicleAtItsStopIsNotCompared() {
    func states(_ offset: Double) -> ObserverStates {
      var states = ObserverStates()
      for time in stride(from: 1_000.0, through: 2_000, by: 100) {
        let segment = VehicleJourneySegment(stop: VehicleStop(state: .arrived))
        let vehicle = DeliveryVehicle(
          remainingDuration: WireDuration(), remainingVehicleJourneySegments: [segment])
        states.add(
          .deliveryVehicle(vehicle), at: Timestamp(secondsSince1970: time + offset) ?? Timestamp())
      }
      return states
    }
    #expect(Disagreement.all(states(0), states(90)) == [])
  }
}
