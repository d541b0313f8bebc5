import FleetEngineAPI
import Testing
import WireProtobuf

@testable import Tripwire

@Suite struct VehicleMergeTests {
  private var merge = ResourceMerge<Vehicle>()

  /// Merges a response to a request with the stamps of the held vehicle.
  private mutating func take(_ change: (inout Vehicle) -> Void) -> ResourceMerge<Vehicle>.Outcome {
    var request = Vehicle.request(forName: "providers/p/vehicles/v", header: nil)
    merge.stamp(&request)
    return merge.take(Vehicle.with(change), to: request)
  }

  private mutating func takeWholeVehicle() {
    _ = take {
      $0.currentRouteSegment = "route"
      $0.currentRouteSegmentVersion = Timestamp(seconds: 5)
      $0.waypoints = [TripWaypoint.with { $0.tripId = "t" }]
      $0.waypointsVersion = Timestamp(seconds: 6)
    }
  }

  @Test mutating func partsWithTheSameStampAreKept() {
    takeWholeVehicle()
    let before = merge.held?.resource
    _ = take {
      $0.currentRouteSegmentVersion = Timestamp(seconds: 5)
      $0.waypointsVersion = Timestamp(seconds: 6)
    }
    #expect(merge.held?.resource == before)
  }

  @Test mutating func partsWithoutAStampAreKept() {
    takeWholeVehicle()
    let before = merge.held?.resource
    _ = take { _ in }
    #expect(merge.held?.resource == before)
  }

  @Test mutating func partsWithNewStampsAreReplaced() {
    takeWholeVehicle()
    _ = take {
      $0.currentRouteSegment = "other"
      $0.currentRouteSegmentVersion = Timestamp(seconds: 8)
      $0.waypointsVersion = Timestamp(seconds: 8)
    }
    #expect(merge.held?.resource.currentRouteSegment == "other")
    #expect(merge.held?.resource.waypoints == [])
  }

  @Test mutating func olderResponseIsIgnored() {
    takeWholeVehicle()
    let outcome = take { $0.waypointsVersion = Timestamp(seconds: 4) }
    guard case .outdated = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(merge.held?.resource.waypointsVersion == Timestamp(seconds: 6))
    // The server's time may have gone back: the next response is accepted.
    _ = take { $0.waypointsVersion = Timestamp(seconds: 4) }
    #expect(merge.held?.resource.waypointsVersion == Timestamp(seconds: 4))
    #expect(merge.held?.resource.waypoints == [])
  }

  @Test mutating func unversionedFieldsAreReplaced() {
    takeWholeVehicle()
    _ = take { $0.vehicleState = .online }
    _ = take { _ in }
    #expect(merge.held?.resource.vehicleState == .unknown)
  }
}
