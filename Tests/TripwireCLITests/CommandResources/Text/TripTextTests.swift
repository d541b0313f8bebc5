import Testing

@testable import CommandResources
@testable import CommandShell
@testable import Tripwire

@Suite struct TripTextTests {
  private let now = TestConsole.clock.now

  @Test func showsATrip() {
    var trip = Trip(
      name: "providers/p/trips/t1", vehicleId: "v-42\u{1b}", tripStatus: .enrouteToPickup,
      tripType: .exclusive, pickupPoint: place(37.774821, -122.419355, "ChIJ1"),
      pickupTime: time(300), intermediateDestinations: [place(37.7, -122.4), place(37.8, -122.4)],
      intermediateDestinationIndex: 1, dropoffPoint: place(37.774589, -122.419246),
      route: [point(37.77, -122.42), point(37.78, -122.42), point(37.78, -122.41)],
      remainingDistanceMeters: 4_210, etaToFirstWaypoint: time(297),
      remainingTimeToFirstWaypoint: duration(297, 500_000_000), numberOfPassengers: 2,
      lastLocation: location(), lastLocationSnappable: true)

    let slow = SpeedReadingInterval(speed: .slow)
    let normal = SpeedReadingInterval(speed: .normal)
    trip.currentRouteSegmentTraffic = ConsumableTrafficPolyline(
      speedReadingInterval: [normal, slow, normal])

    let pickup = TripWaypoint(
      location: place(37.775238, -122.419335), tripId: "t1", waypointType: .pickup,
      distanceMeters: 842, eta: time(300), duration: duration(300, 0))
    trip.remainingWaypoints = [pickup, TripWaypoint(waypointType: .unrecognized(99))]

    var tier = TripAttribute()
    tier.key = "tier"
    tier.tripAttributeValue = .stringValue("gold")
    var fare = TripAttribute()
    fare.key = "fare"
    fare.tripAttributeValue = .numberValue(23)
    trip.attributes = [tier, fare]

    #expect(
      FleetResource.trip(trip).text(TestConsole.clock) == """
        trip               providers/p/trips/t1
        status             enroute to pickup
        type               exclusive
        view               —
        vehicle            v-42\\u{1b}
        passengers         2
        pickup             37.774821, -122.419355, place ChIJ1  09:35:00 (in 5 min)
        stops between      1  37.700000, -122.400000
                           2  37.800000, -122.400000
        drop-off           37.774589, -122.419246
        distance left      4.2 km
        time to next stop  4 min 58 s
        ETA at next stop   09:34:57 (in 4 min 57 s)
        vehicle at         37.774749, -122.419308, ±7 m, by GPS
        heading            35° NE
        speed              22 km/h
        location from      09:29:42 (18 s ago)
        on route           yes
        route              3 points, 2.0 km
        traffic            3 spans: 2 normal, 1 slow
        waypoints left     1  pickup        37.775238, -122.419335  842 m  5 min  \
        09:35:00 (in 5 min)  trip t1
                           2  unknown (99)  —                       —      —      —
        attributes         tier = gold
                           fare = 23
        time zone          UTC

        """)
  }

  @Test(arguments: [
    (TripStatus.enrouteToPickup, nil), (.arrivedAtPickup, nil),
    (.enrouteToIntermediateDestination, 1), (.enrouteToDropoff, nil), (.complete, nil),
    (.canceled, nil),
  ])
  func nextStopBetweenIsMarkedAfterThePickup(status: TripStatus, marked: Int?) {
    let trip = Trip(
      tripStatus: status, intermediateDestinations: [TerminalLocation(), TerminalLocation()],
      intermediateDestinationIndex: status == .enrouteToDropoff ? 2 : 1)
    let lines = FleetResource.trip(trip).text(TestConsole.clock).split(separator: "\n")
    #expect(lines.filter { $0.hasSuffix("(next)") }.count == (marked == nil ? 0 : 1))
  }

  @Test func durationsAreRoundedToSeconds() {
    var trip = Trip()
    for (seconds, nanos, text) in [
      (57, 242_000_000, "57 s"), (59, 500_000_000, "1 min"), (0, 304_650_000, "0 s"),
      (Int64.max, 999_999_999, "106751991167300 d 15 h"),
    ] as [(Int64, Int32, String)] {
      trip.remainingTimeToFirstWaypoint = WireDuration(seconds: seconds, nanos: nanos)
      #expect(
        FleetResource.trip(trip).text(TestConsole.clock).contains("time to next stop  \(text)\n"),
        "\(text)")
    }
  }

  @Test func marksEverythingUnset() {
    let lines = FleetResource.trip(Trip()).text(TestConsole.clock).split(separator: "\n")
    for line in lines.dropLast() { #expect(line.hasSuffix("  —"), "\(line)") }
    #expect(lines.last == "time zone          UTC")
  }

  @Test func showsAnEncodedRouteAndAnUnknownStatus() {
    let trip = Trip(
      tripStatus: .unrecognized(99), currentRouteSegment: "AhYFIvrYXZ6GALkBlQK2AYQNAA==")
    let text = FleetResource.trip(trip).text(TestConsole.clock)
    #expect(text.contains("route              5 points, 106 m\n"))
    #expect(text.contains("status             unknown (99)\n"))
  }

  @Test func reportsAnInvalidEncodedRoute() {
    let trip = Trip(currentRouteSegment: "AhYF\u{1b}vrY")
    #expect(
      FleetResource.trip(trip).text(TestConsole.clock).contains(
        "route              8 characters that are not a polyline: "
          + "not a base64 character, at character 4 of the text\n"))
  }

  @Test func showsAVehicle() {
    var vehicle = Vehicle(
      name: "providers/p/vehicles/v1", vehicleState: .online,
      supportedTripTypes: [.shared, .exclusive], currentTrips: ["t1", "t2"], maximumCapacity: 4,
      vehicleType: Vehicle.VehicleType(category: .auto))
    vehicle.licensePlate = LicensePlate(countryCode: "CH", lastCharacter: "7")
    vehicle.navigationStatus = .enrouteToDestination
    vehicle.remainingTimeSeconds = 90
    vehicle.lastLocation = location()
    let battery = BatteryInfo(batteryStatus: .charging, batteryPercentage: 62.4)
    vehicle.deviceSettings = DeviceSettings(batteryInfo: battery)
    #expect(
      FleetResource.vehicle(vehicle).text(TestConsole.clock) == """
        vehicle            providers/p/vehicles/v1
        state              online
        type               auto
        license plate      CH …7
        seats              4
        takes trips        shared, exclusive
        back to back       no
        trips now          t1
                           t2
        navigation         enroute to destination
        distance left      —
        time to next stop  1 min 30 s
        ETA at next stop   —
        vehicle at         37.774749, -122.419308, ±7 m, by GPS
        heading            35° NE
        speed              22 km/h
        location from      09:29:42 (18 s ago)
        route              —
        waypoints left     —
        device             battery 62 %, charging
        attributes         —
        time zone          UTC

        """)
  }

  @Test func firstWaypointHasTheRemainingDistanceAndTimesOfTheVehicle() {
    let first = TripWaypoint(distanceMeters: 842, eta: time(300), duration: duration(300, 0))
    var vehicle = Vehicle(waypoints: [first, first])
    func lines() -> [Substring] {
      let lines = FleetResource.vehicle(vehicle).text(TestConsole.clock).split(separator: "\n").map
      { $0.dropFirst(19) }
      return lines.filter { $0.contains("  —  —") }
    }
    #expect(
      lines() == [
        "1  —  —  842 m  5 min  09:35:00 (in 5 min)", "2  —  —  842 m  5 min  09:35:00 (in 5 min)",
      ])
    vehicle.remainingDistanceMeters = 90
    vehicle.remainingTimeSeconds = 30
    vehicle.etaToFirstWaypoint = time(30)
    #expect(
      lines() == [
        "1  —  —  90 m   30 s   09:30:30 (in 30 s)", "2  —  —  842 m  5 min  09:35:00 (in 5 min)",
      ])
  }

  /// Returns the value of a row of a vehicle.
  private func row(_ name: String, of vehicle: Vehicle) -> Substring? {
    FleetResource.vehicle(vehicle).text(TestConsole.clock).split(separator: "\n")
      .first { $0.hasPrefix(name) }?.dropFirst(19)
  }

  @Test func showsTheRawLocationOfAVehicleWithoutAnother() {
    var vehicle = Vehicle(
      lastLocation: VehicleLocation(
        locationSensor: .gps, rawLocation: point(47.1, 8.2), rawLocationTime: time(-18),
        rawLocationSensor: .network, rawLocationAccuracy: 12))
    #expect(row("vehicle at", of: vehicle) == "47.100000, 8.200000, raw, ±12 m, by network")
    #expect(row("location from", of: vehicle) == "09:29:42 (18 s ago)")
    vehicle.lastLocation?.rawLocationSensor = .unknownSensor
    vehicle.lastLocation?.location = point(47.2, 8.3)
    #expect(row("vehicle at", of: vehicle) == "47.200000, 8.300000, by GPS")
  }

  @Test(arguments: [
    (0.0, 0.0, "0.000000, 0.000000 (most likely not set)"),
    (91, 8, "91.000000, 8.000000 (latitude out of range)"),
    (47, -180.5, "47.000000, -180.500000 (longitude out of range)"),
    (.nan, 8, "nan, 8.000000 (latitude out of range)"), (0, 8, "0.000000, 8.000000"),
    (-90, 180, "-90.000000, 180.000000"),
  ])
  func marksCoordinatesThatAreNoPlace(latitude: Double, longitude: Double, text: String) {
    let vehicle = Vehicle(lastLocation: VehicleLocation(location: point(latitude, longitude)))
    #expect(row("vehicle at", of: vehicle).map(String.init) == text)
  }

  @Test func routeOutOfRangeHasNoLength() {
    let trip = Trip(route: [point(47, 8), point(91, 8), point(47, 9)])
    #expect(
      FleetResource.trip(trip).text(TestConsole.clock).contains(
        "route              3 points, of which 1 not on Earth: latitude or longitude out of range\n"
      ))
  }

  private func time(_ seconds: Int64) -> Timestamp {
    Timestamp(seconds: now + seconds)
  }

  private func duration(_ seconds: Int64, _ nanos: Int32) -> WireDuration {
    WireDuration(seconds: seconds, nanos: nanos)
  }

  private func point(_ latitude: Double, _ longitude: Double) -> LatLng {
    LatLng(latitude: latitude, longitude: longitude)
  }

  private func place(_ latitude: Double, _ longitude: Double, _ id: String = "")
    -> TerminalLocation
  {
    var place = TerminalLocation(point: point(latitude, longitude))
    if !id.isEmpty {
      place.terminalPointId = TerminalPointId(value: id)
    }
    return place
  }

  private func location() -> VehicleLocation {
    VehicleLocation(
      location: point(37.774749, -122.419308), latlngAccuracy: 7.4, heading: 35, speed: 6.153,
      updateTime: time(-18), locationSensor: .gps)
  }
}
