import FleetEngineAPI
import WireProtobuf

/// The trips of a vehicle of the demo, one after the other: t1, t1-2, t1-3 and so on for the vehicle v1.
struct DemoTrips: Sendable {
  /// The time between two trips.
  let pause: Duration
  private let number: Int
  private var dice: Dice
  private var count = 0

  init(number: Int, pause: Duration) {
    self.number = number
    self.pause = pause
    dice = Dice(seed: "v\(number)")
  }

  private var firstID: String { "t\(number)" }
  private var nextID: String { count == 0 ? firstID : "\(firstID)-\(count + 1)" }

  /// Cancels the trips of an earlier run that the vehicle still has, and continues with the next one.
  mutating func resume(
    _ vehicle: StoredVehicle?, of provider: String, at now: Timestamp, _ engine: inout FleetEngine
  ) {
    for id in vehicle?.vehicle.currentTrips ?? []
    where id == firstID || id.hasPrefix("\(firstID)-") {
      _ = try? engine.updateTrip(
        UpdateTripRequest(
          name: "\(provider)/trips/\(id)", trip: Trip(tripStatus: .canceled),
          updateMask: ["trip_status"]), at: now)
    }
    while engine[parent: provider].trips[nextID] != nil { count += 1 }
  }

  /// Creates the next trip, and returns its stops.
  mutating func next(
    from place: LatLng, _ vehicle: String, of provider: String, at now: Timestamp,
    _ engine: inout FleetEngine
  ) -> [Driver.Stop] {
    let id = nextID
    count += 1
    var last = place
    var stops: [Driver.Stop] = []
    func stop(_ type: WaypointType, _ index: Int32? = nil) {
      let road = Road(from: last, to: dice.place, turnsNorthFirst: dice.isHeads)
      last = road.points.last ?? last
      stops.append(Driver.Stop(road: road, trip: id, type: type, destination: index))
    }
    stop(.pickup)
    for index in 0..<number % 3 { stop(.intermediateDestination, Int32(index)) }
    stop(.dropOff)
    let locations = stops.map { TerminalLocation(point: $0.road.points.last) }
    let trip = Trip(
      vehicleId: vehicle, tripType: .exclusive, pickupPoint: locations.first,
      intermediateDestinations: Array(locations.dropFirst().dropLast()),
      dropoffPoint: locations.last, numberOfPassengers: 2)
    // Somebody else may have created a trip with this ID; then it is left alone.
    _ = try? engine.createTrip(
      CreateTripRequest(parent: provider, tripId: id, trip: trip), at: now)
    return stops
  }
}
