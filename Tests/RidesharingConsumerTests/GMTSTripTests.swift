import Foundation
import Testing
import Tripwire

@testable import RidesharingConsumer

@Suite struct GMTSTripTests {
  @Test func statusesHaveTheSDKsRawValues() {
    let numbers: [(TripStatus, Int)] = [
      (.unknown, 0), (.new, 1), (.enrouteToPickup, 2), (.arrivedAtPickup, 3),
      (.enrouteToIntermediateDestination, 4), (.arrivedAtIntermediateDestination, 5),
      (.enrouteToDropoff, 6), (.complete, 7), (.canceled, 8),
    ]
    #expect(Set(numbers.map(\.0)) == Set(TripStatus.allCases))
    for (status, number) in numbers {
      #expect(GMTSTripStatus(status).rawValue == number)
      #expect(GMTSTripStatus(rawValue: number)?.status == status)
    }
    #expect(GMTSTripStatus(.unrecognized(99)) == .unknown)
  }

  @Test func otherRawValuesAreTheAPIs() {
    for type in TripType.allCases { #expect(GMTSTripType(type).rawValue == Int(type.rawValue)) }
    for type in WaypointType.allCases {
      #expect(GMTSTripWaypointType(type).rawValue == Int(type.rawValue))
    }
    for speed in SpeedReadingInterval.Speed.allCases {
      #expect(GMTSSpeedType(speed).rawValue == Int(speed.rawValue))
    }
    #expect(GMTSTripType(.unrecognized(7)) == .unknown)
  }

  @Test func fieldsHaveTheSDKsBits() {
    let all: [GMTSTripPropertyFields] = [
      .tripName, .vehicleID, .tripType, .tripStatus, .pickupLocation, .pickupTime,
      .dropoffLocation, .dropoffTime, .routeLastVehicleLocation, .numberOfPassengers,
      .remainingWaypoints, .intermediateDestinations, .intermediateDestinationIndex,
      .remainingDistanceOfActiveRouteInMeters, .distanceOfRemainingRouteInMeters, .activeRoute,
      .activeRouteTraffic, .remainingRoute, .remainingRouteTraffic,
    ]
    #expect(all.map(\.rawValue) == (0..<19).map { 1 << $0 })
    #expect(GMTSTripPropertyFields.etaToNextWaypoint.inSDK == [])
  }

  @Test func unknownValuesAreZero() {
    let trip = GMTSTrip(Trip())
    #expect(trip.tripName == nil)
    #expect(trip.tripID() == nil)
    #expect(trip.vehicleID == nil)
    #expect(trip.pickupTime == 0)
    #expect(trip.remainingDistanceOfActiveRouteInMeters() == 0)
    #expect(trip.distanceOfRemainingRouteInMeters() == 0)
    #expect(trip.activeRoute() == nil)
    #expect(trip.remainingRouteTraffic() == nil)
    #expect(trip.lastVehicleLocation == nil)
    #expect(trip.nextWaypoint() == nil)
    #expect(trip.trip.remainingDistanceOfActiveRoute == nil)
  }

  private func place(_ latitude: Double, label: String? = nil) -> GMTSTerminalLocation {
    GMTSTerminalLocation(
      point: GMTSLatLng(latitude: latitude, longitude: 1), label: label, description: nil,
      placeID: "place", generatedID: nil, accessPointID: "door")
  }

  private func trip(label: String? = nil, dropoffTime: TimeInterval = 20) -> GMTSTrip {
    let options = GMTSVehicleLocationOptions()
    options.latLng = GMTSLatLng(latitude: 0.5, longitude: 1)
    options.heading = 45
    options.updateTime = 5000
    options.isSnappableToRoute = true
    return GMTSTrip(
      tripName: "providers/p/trips/t1", vehicleID: "v", tripType: .shared,
      tripStatus: .enrouteToIntermediateDestination, pickupLocation: place(1, label: label),
      pickupTime: 10, dropoffLocation: place(2), dropoffTime: dropoffTime,
      lastVehicleLocation: GMTSVehicleLocation(options: options), numberOfPassengers: 2,
      remainingWaypoints: [
        GMTSTripWaypoint(
          location: place(1), tripID: "t0", waypointType: .dropOff,
          distanceToPreviousWaypointInMeters: 100, eta: 7),
        GMTSTripWaypoint(
          location: place(1), tripID: "t1", waypointType: .pickUp,
          distanceToPreviousWaypointInMeters: 50, eta: 9),
      ],
      intermediateDestinations: [place(3)], intermediateDestinationIndex: 1)
  }

  @Test func tripCombinesItsParts() {
    let trip = trip(label: "Home")
    #expect(trip.tripID() == "t1")
    #expect(trip.trip.tripStatus == .enrouteToIntermediateDestination)
    #expect(trip.trip.tripType == .shared)
    #expect(trip.pickupLocation?.terminalLocationLabel == "Home")
    #expect(trip.pickupLocation?.accessPointID == "door")
    #expect(trip.nextWaypoint()?.tripID == "t0")
    #expect(trip.nextTripWaypoint()?.tripID == "t1")
    #expect(trip.nextTripWaypoint()?.eta == 9)
    #expect(trip.remainingDistanceOfActiveRouteInMeters() == 150)
    #expect(trip.lastVehicleLocation?.updateTime == 5000)
    #expect(trip.trip.lastLocationSnappable)
    let again = GMTSTrip(trip.trip)
    #expect(again.lastVehicleLocation == trip.lastVehicleLocation)
    #expect(again.intermediateDestinations == trip.intermediateDestinations)
    #expect(again.dropoffLocation == trip.dropoffLocation)
    #expect(again.dropoffTime == 20)
  }

  @Test func equalityComparesAllContent() {
    #expect(trip() == trip())
    #expect(trip().hash == trip().hash)
    #expect(trip() != trip(label: "Home"))
    #expect(trip() != trip(dropoffTime: 21))
    #expect(GMTSLatLng(latitude: 1, longitude: 2) == GMTSLatLng(latitude: 1, longitude: 2))
    #expect(GMTSLatLng(latitude: 1, longitude: 2) != NSObject())
    #expect(Set([trip(), trip()]).count == 1)
  }

  @Test func differencesCompareTwoTrips() {
    #expect(
      GMTSTrip.propertyValueDifferencesBetweenTrip1(trip(), andTrip2: trip(dropoffTime: 21))
        == .dropoffTime)
  }

  @Test func pathsAreDecodedOnce() {
    var waypoint = TripWaypoint(encodedPathToWaypoint: "AhYCECPlXZ6GAJABAA==")
    let object = GMTSTripWaypoint(waypoint)
    let route = object.routeFromPreviousWaypoint
    #expect(route?.count == 2)
    #expect(route?.first === object.routeFromPreviousWaypoint?.first)
    waypoint.encodedPathToWaypoint = "A!"
    #expect(GMTSTripWaypoint(waypoint).routeFromPreviousWaypoint == nil)
  }

  @Test func invalidSpansAreDropped() {
    let path = [GMTSLatLng(latitude: 0, longitude: 0), GMTSLatLng(latitude: 1, longitude: 0)]
    let traffic = GMTSTrafficData(
      routePath: path,
      speedReadingSpans: [
        GMTSSpeedReadingSpan(speedType: .slow, startIndex: -1, endIndex: 1),
        GMTSSpeedReadingSpan(speedType: .trafficJam, startIndex: 0, endIndex: 2),
        GMTSSpeedReadingSpan(speedType: .normal, startIndex: 1, endIndex: 3),
      ])
    #expect(traffic.speedReadingSpans.map(\.speedType) == [.trafficJam])
    #expect(traffic.routePath == path)
  }
}
