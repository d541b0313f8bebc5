import Testing

@testable import Tripwire
@testable import TripwireCLI

@Suite struct TripTextTests {
  private let now = TestConsole.clock.now

  @Test func showsATrip() {
    var trip = Trip()
    trip.name = "providers/p/trips/t1"
    trip.tripStatus = .enrouteToPickup
    trip.tripType = .exclusive
    trip.vehicleId = "v-42\u{1b}"
    trip.numberOfPassengers = 2
    trip.pickupPoint = place(37.774821, -122.419355, "ChIJ1")
    trip.pickupTime = time(300)
    trip.dropoffPoint = place(37.774589, -122.419246)
    trip.intermediateDestinations = [place(37.7, -122.4), place(37.8, -122.4)]
    trip.intermediateDestinationIndex = 1
    trip.remainingDistanceMeters = 4_210
    trip.remainingTimeToFirstWaypoint = duration(297, 500_000_000)
    trip.etaToFirstWaypoint = time(297)
    trip.lastLocationSnappable = true
    trip.route = [point(37.77, -122.42), point(37.78, -122.42), point(37.78, -122.41)]
    trip.lastLocation = location()

    var slow = SpeedReadingInterval()
    slow.speed = .slow
    var normal = SpeedReadingInterval()
    normal.speed = .normal
    trip.currentRouteSegmentTraffic = ConsumableTrafficPolyline()
    trip.currentRouteSegmentTraffic?.speedReadingInterval = [normal, slow, normal]

    var pickup = TripWaypoint()
    pickup.location = place(37.775238, -122.419335)
    pickup.tripId = "t1"
    pickup.waypointType = .pickup
    pickup.distanceMeters = 842
    pickup.duration = duration(300, 0)
    pickup.eta = time(300)
    var odd = TripWaypoint()
    odd.waypointType = .unrecognized(99)
    trip.remainingWaypoints = [pickup, odd]

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
    (.enrouteToIntermediateDestination, 1), (.enrouteToDropoff, nil),
  ])
  func nextStopBetweenIsMarkedAfterThePickup(status: TripStatus, marked: Int?) {
    var trip = Trip()
    trip.tripStatus = status
    trip.intermediateDestinations = [TerminalLocation(), TerminalLocation()]
    trip.intermediateDestinationIndex = status == .enrouteToDropoff ? 2 : 1
    let lines = FleetResource.trip(trip).text(TestConsole.clock).split(separator: "\n")
    #expect(lines.filter { $0.hasSuffix("(next)") }.count == (marked == nil ? 0 : 1))
  }

  @Test func durationsAreRoundedToSeconds() {
    var trip = Trip()
    for (seconds, nanos, text) in [
      (57, 242_000_000, "57 s"), (59, 500_000_000, "1 min"), (0, 304_650_000, "0 s"),
      (Int64.max, 999_999_999, "106751991167300 d 15 h"),
    ] as [(Int64, Int32, String)] {
      trip.remainingTimeToFirstWaypoint = WireDuration()
      trip.remainingTimeToFirstWaypoint?.seconds = seconds
      trip.remainingTimeToFirstWaypoint?.nanos = nanos
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
    var trip = Trip()
    trip.currentRouteSegment = "AhYFIvrYXZ6GALkBlQK2AYQNAA=="
    trip.tripStatus = .unrecognized(99)
    let text = FleetResource.trip(trip).text(TestConsole.clock)
    #expect(text.contains("route              5 points, 106 m\n"))
    #expect(text.contains("status             unknown (99)\n"))
  }

  @Test func reportsAnInvalidEncodedRoute() {
    var trip = Trip()
    trip.currentRouteSegment = "AhYF\u{1b}vrY"
    #expect(
      FleetResource.trip(trip).text(TestConsole.clock).contains(
        "route              8 characters that are not a polyline: "
          + "not a base64 character, at character 4 of the text\n"))
  }

  @Test func showsAVehicle() {
    var vehicle = Vehicle()
    vehicle.name = "providers/p/vehicles/v1"
    vehicle.vehicleState = .online
    vehicle.supportedTripTypes = [.shared, .exclusive]
    vehicle.currentTrips = ["t1", "t2"]
    vehicle.maximumCapacity = 4
    vehicle.vehicleType = Vehicle.VehicleType()
    vehicle.vehicleType?.category = .auto
    vehicle.licensePlate = LicensePlate()
    vehicle.licensePlate?.countryCode = "CH"
    vehicle.licensePlate?.lastCharacter = "7"
    vehicle.navigationStatus = .enrouteToDestination
    vehicle.remainingTimeSeconds = 90
    vehicle.lastLocation = location()
    var battery = BatteryInfo()
    battery.batteryPercentage = 62.4
    battery.batteryStatus = .charging
    vehicle.deviceSettings = DeviceSettings()
    vehicle.deviceSettings?.batteryInfo = battery
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
    var first = TripWaypoint()
    first.distanceMeters = 842
    first.duration = duration(300, 0)
    first.eta = time(300)
    var vehicle = Vehicle()
    vehicle.waypoints = [first, first]
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
    var vehicle = Vehicle()
    vehicle.lastLocation = VehicleLocation()
    vehicle.lastLocation?.rawLocation = point(47.1, 8.2)
    vehicle.lastLocation?.rawLocationTime = time(-18)
    vehicle.lastLocation?.rawLocationAccuracy = 12
    vehicle.lastLocation?.rawLocationSensor = .network
    vehicle.lastLocation?.locationSensor = .gps
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
    var vehicle = Vehicle()
    vehicle.lastLocation = VehicleLocation(location: point(latitude, longitude))
    #expect(row("vehicle at", of: vehicle).map(String.init) == text)
  }

  @Test func routeOutOfRangeHasNoLength() {
    var trip = Trip()
    trip.route = [point(47, 8), point(91, 8), point(47, 9)]
    #expect(
      FleetResource.trip(trip).text(TestConsole.clock).contains(
        "route              3 points, of which 1 not on Earth: latitude or longitude out of range\n"
      ))
  }

  private func time(_ seconds: Int64) -> Timestamp {
    var time = Timestamp()
    time.seconds = now + seconds
    return time
  }

  private func duration(_ seconds: Int64, _ nanos: Int32) -> WireDuration {
    var duration = WireDuration()
    duration.seconds = seconds
    duration.nanos = nanos
    return duration
  }

  private func point(_ latitude: Double, _ longitude: Double) -> LatLng {
    var point = LatLng()
    point.latitude = latitude
    point.longitude = longitude
    return point
  }

  private func place(_ latitude: Double, _ longitude: Double, _ id: String = "")
    -> TerminalLocation
  {
    var place = TerminalLocation()
    place.point = point(latitude, longitude)
    if !id.isEmpty {
      place.terminalPointId = TerminalPointId()
      place.terminalPointId?.value = id
    }
    return place
  }

  private func location() -> VehicleLocation {
    var location = VehicleLocation()
    location.location = point(37.774749, -122.419308)
    location.latlngAccuracy = 7.4
    location.locationSensor = .gps
    location.heading = 35
    location.speed = 6.153
    location.updateTime = time(-18)
    return location
  }
}
