import FleetEngineAPI
import Testing
import WireGRPC
import WireProtobuf

@testable import FleetEmulator

/// An engine with a clock that tests advance.
struct TestFleet {
  var engine = FleetEngine()
  var now = Timestamp(seconds: 1_800_000_000, nanos: 0)

  mutating func advance(_ seconds: Int64 = 1) { now.seconds += seconds }

  mutating func call<Request: Message, Response: Message>(
    _ method: MethodDescriptor<Request, Response>, _ request: Request
  ) throws -> Response {
    try Response(serializedBytes: try engine.call(method.path, request.serializedBytes(), at: now))
  }

  /// The error of a call that fails.
  mutating func failure<Request: Message, Response: Message>(
    _ method: MethodDescriptor<Request, Response>, _ request: Request
  ) throws -> EngineError {
    let before = engine
    let error = #expect(throws: EngineError.self) { _ = try call(method, request) }
    // A failed call changes nothing.
    #expect(engine.hasSameState(as: before))
    return try #require(error)
  }

  // MARK: Trips

  @discardableResult
  mutating func createTrip(
    _ id: String, _ change: (inout Trip) -> Void = { _ in }
  ) throws -> Trip {
    var trip = Trip(
      tripType: .exclusive, pickupPoint: .at(1, 1), dropoffPoint: .at(1, 2))
    change(&trip)
    return try call(
      TripServiceMethods.createTrip,
      CreateTripRequest(parent: "providers/p", tripId: id, trip: trip))
  }

  @discardableResult
  mutating func updateTrip(
    _ id: String, _ mask: String, _ change: (inout Trip) -> Void
  ) throws -> Trip {
    try call(TripServiceMethods.updateTrip, Self.tripUpdate(id, mask, change))
  }

  static func tripUpdate(
    _ id: String, _ mask: String, _ change: (inout Trip) -> Void
  ) -> UpdateTripRequest {
    var trip = Trip()
    change(&trip)
    return UpdateTripRequest(
      name: "providers/p/trips/\(id)", trip: trip, updateMask: FieldMask(mask))
  }

  mutating func trip(
    _ id: String, _ change: (inout GetTripRequest) -> Void = { _ in }
  ) throws -> Trip {
    var request = GetTripRequest(name: "providers/p/trips/\(id)")
    change(&request)
    return try call(TripServiceMethods.getTrip, request)
  }

  mutating func go(_ id: String, _ status: TripStatus, destination: Int32? = nil) throws {
    let mask = destination == nil ? "trip_status" : "trip_status,intermediate_destination_index"
    try updateTrip(id, mask) {
      $0.tripStatus = status
      $0.intermediateDestinationIndex = destination ?? 0
    }
  }

  // MARK: Vehicles

  @discardableResult
  mutating func createVehicle(
    _ id: String, _ change: (inout Vehicle) -> Void = { _ in }
  ) throws -> Vehicle {
    var vehicle = Vehicle(
      vehicleState: .online, supportedTripTypes: [.exclusive, .shared], maximumCapacity: 4,
      vehicleType: Vehicle.VehicleType(category: .auto))
    change(&vehicle)
    return try call(
      VehicleServiceMethods.createVehicle,
      CreateVehicleRequest(parent: "providers/p", vehicleId: id, vehicle: vehicle))
  }

  @discardableResult
  mutating func updateVehicle(
    _ id: String, _ mask: String, _ change: (inout Vehicle) -> Void
  ) throws -> Vehicle {
    try call(VehicleServiceMethods.updateVehicle, Self.vehicleUpdate(id, mask, change))
  }

  static func vehicleUpdate(
    _ id: String, _ mask: String, _ change: (inout Vehicle) -> Void
  ) -> UpdateVehicleRequest {
    var vehicle = Vehicle()
    change(&vehicle)
    return UpdateVehicleRequest(
      name: "providers/p/vehicles/\(id)", vehicle: vehicle, updateMask: FieldMask(mask))
  }

  mutating func vehicle(_ id: String) throws -> Vehicle {
    try call(
      VehicleServiceMethods.getVehicle, GetVehicleRequest(name: "providers/p/vehicles/\(id)"))
  }

  /// Drives along points, as the app of a driver reports it.
  mutating func drive(_ id: String, _ points: [LatLng], seconds: Int32, meters: Int32) throws {
    let (segment, now) = (try S2Polyline.encode(points), now)
    try updateVehicle(
      id,
      "last_location,current_route_segment,remaining_distance_meters,remaining_time_seconds"
    ) {
      $0.lastLocation = VehicleLocation(location: points[0], updateTime: now)
      $0.currentRouteSegment = segment
      $0.remainingDistanceMeters = meters
      $0.remainingTimeSeconds = seconds
    }
  }
}

extension TerminalLocation {
  static func at(_ latitude: Double, _ longitude: Double) -> TerminalLocation {
    TerminalLocation(point: LatLng(latitude: latitude, longitude: longitude))
  }
}

extension EngineError {
  var code: StatusCode { StatusCode(rawValue: Int(status.code)) }

  /// The fields that the error names.
  var fields: [String] {
    violations.map(\.field)
  }
}
