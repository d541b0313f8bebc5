import DynamicProtobuf
import Recording
import Tripwire
import WireProtobuf

/// Writes calls of Fleet Engine as log entries that Cloud Logging has of them, for Google's tools.
///
/// Fields and enum values have their names in the API. fleet-debugger draws the locations that vehicles
/// send, and a client only has those in trips. So a response to GetTrip is written twice: as that, and as
/// the update of its vehicle that it implies, with the label `tripwire: derived`.
package struct CloudLogWriter {
  private static let idPrefix = "tripwire-"
  /// The first bytes of every log entry.
  package static let opening = "{\"insertId\":\"\(idPrefix)"

  private struct Call {
    let method: ServiceDescriptor.Method
    let name: String
    let request: [UInt8]?
    var response: [UInt8]?
  }

  /// The request, and the response or the error.
  fileprivate struct Payload {
    let request: String
    let response: String?
    var error: (code: StatusCode, message: String)?
  }

  private let types: MessageTypes
  private var calls = OpenCalls<Call>()
  /// How many calls were written.
  package private(set) var callCount = 0
  /// How many calls of UpdateVehicle were added.
  package private(set) var addedCount = 0
  /// How many ended calls of Fleet Engine have no log entry because a message is incomplete or invalid.
  package private(set) var omittedCount = 0
  /// How many calls were omitted because they are of deliveries.
  package private(set) var deliveryCount = 0

  package init(_ types: MessageTypes) {
    self.types = types
  }

  /// Returns the log entries of a call at its end: JSON objects.
  package mutating func add(
    _ entry: LoggedEntry
  ) throws(OpenCallsOverflow) -> [String] {
    let number = entry.call.number
    switch (entry.value.type, entry.value.payload) {
    case (.clientHeader, _):
      if entry.call.method?.hasPrefix("/maps.fleetengine.delivery.v1.") == true {
        deliveryCount += 1
      }
    case (.clientMessage, .message(let message)) where calls[number] == nil:
      guard let path = entry.call.method, path.hasPrefix("/maps.fleetengine.v1."),
        let method = types.method(path)
      else { return [] }
      calls[number] = Call(
        method: method, name: types.resource(of: entry) ?? "",
        request: entry.isComplete ? message.data : nil)
      try calls.hold(message.data.count, in: number)
    case (.serverMessage, .message(let message)) where calls[number] != nil:
      // Not valid as a message: the call is left out.
      calls[number]?.response = entry.isComplete ? message.data : [0]
      try calls.hold(message.data.count, in: number)
    default: break
    }
    guard let call = calls.end(at: entry), case .trailer(let trailer) = entry.value.payload else {
      return []
    }
    guard let texts = try? self.texts(of: call, trailer, entry) else {
      omittedCount += 1
      return []
    }
    callCount += 1
    addedCount += texts.count - 1
    return texts
  }

  // MARK: Entries

  private func texts(
    of call: Call, _ trailer: BinlogTrailer, _ entry: LoggedEntry
  ) throws -> [String] {
    guard let bytes = call.request, let time = entry.value.timestamp else {
      throw CloudLogError("incomplete")
    }
    let ids = ResourceIDs(call.name)
    let code = StatusCode(rawValue: Int(trailer.statusCode))
    let payload = Payload(
      request: try request(bytes, call.method.input, ids),
      response: code == .ok ? try json(call.response ?? [], call.method.output) : nil,
      error: code == .ok ? nil : (code, trailer.statusMessage))
    let id = "\(Self.idPrefix)\(entry.call.number)"
    var texts = [try text(id, call.method.name, payload, ids, at: time)]
    if call.method.name == "GetTrip", code == .ok, let response = call.response,
      let trip = try? Trip(serializedBytes: response), let update = Self.update(of: trip, ids),
      let method = types.method("/maps.fleetengine.v1.VehicleService/UpdateVehicle")
    {
      var ids = ids
      ids.vehicle = trip.vehicleId
      let payload = Payload(
        request: try request(update.serializedBytes(), method.input, ids),
        response: try json(update.vehicle?.serializedBytes() ?? [], method.output))
      texts.append(
        try text(id + "-vehicle", method.name, payload, ids, at: time, isDerived: true))
    }
    return texts
  }

  private func text(
    _ id: String, _ method: String, _ payload: Payload, _ ids: ResourceIDs, at time: Timestamp,
    isDerived: Bool = false
  ) throws -> String {
    let time = try time.jsonString()
    let log = "projects/\(ids.provider)/logs/fleetengine.googleapis.com%2F" + Self.snakeCase(method)
    return JSONWriter.object { json in
      json.member("insertId", id)
      json.object("jsonPayload") { json in
        json.members(of: payload)
        json.member("@type", "type.googleapis.com/maps.fleetengine.v1.\(method)Log")
      }
      json.object("labels") { json in
        json.member("trip_id", ids.trip)
        json.member("vehicle_id", ids.vehicle)
        json.member("tripwire", isDerived ? "derived" : nil)
      }
      json.member("logName", log)
      json.member("receiveTimestamp", json: time)
      json.object("resource") { json in
        json.member("type", "fleetengine.googleapis.com/Fleet")
        json.object("labels") { json in
          json.member("location", "global")
          json.member("resource_container", "projects/\(ids.provider)")
        }
      }
      json.member("severity", payload.error == nil ? nil : "ERROR")
      json.member("timestamp", json: time)
    }
  }

  /// The request with the ID of the resource, which the logs have in place of the name.
  private func request(
    _ bytes: [UInt8], _ type: MessageDescriptor, _ ids: ResourceIDs
  ) throws -> String {
    let text = try json(bytes, type)
    return JSONWriter.object { json in
      json.member("tripId", type["trip_id"] == nil ? ids.trip : nil)
      json.member("vehicleId", type["vehicle_id"] == nil ? ids.vehicle : nil)
      json.members(ofObject: text)
    }
  }

  private func json(_ bytes: [UInt8], _ type: MessageDescriptor) throws -> String {
    try types.read(bytes, as: type).message.jsonString(
      options: DynamicJSONOptions(showsUnknownTypes: true))
  }

  /// Returns the update of the trip's vehicle; nil without a location.
  private static func update(of trip: Trip, _ ids: ResourceIDs) -> UpdateVehicleRequest? {
    guard var location = trip.lastLocation, let id = ids.trip, !trip.vehicleId.isEmpty else {
      return nil
    }
    // fleet-debugger centers its map on measured locations.
    location.rawLocation = location.rawLocation ?? location.location
    location.rawLocationTime = location.rawLocationTime ?? location.updateTime
    let vehicle = Vehicle(
      name: "providers/\(ids.provider)/vehicles/\(trip.vehicleId)", currentTrips: [id],
      lastLocation: location, currentRouteSegment: trip.currentRouteSegment,
      remainingDistanceMeters: trip.remainingDistanceMeters,
      etaToFirstWaypoint: trip.etaToFirstWaypoint, waypoints: trip.remainingWaypoints)
    return UpdateVehicleRequest(name: vehicle.name, vehicle: vehicle)
  }

  /// "GetTrip" as "get_trip".
  private static func snakeCase(_ name: String) -> String {
    name.utf8.reduce(into: "") { text, byte in
      let isUpper = UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
      if isUpper, !text.isEmpty { text += "_" }
      text.unicodeScalars.append(Unicode.Scalar(isUpper ? byte | 0x20 : byte))
    }
  }
}

private struct ResourceIDs {
  var provider = ""
  var trip: String?
  var vehicle: String?

  /// - Parameter name: "providers/p/trips/t1".
  init(_ name: String) {
    let parts = name.split(separator: "/", maxSplits: 3).map(String.init)
    if parts.count >= 2 { provider = parts[1] }
    guard parts.count == 4 else { return }
    switch parts[2] {
    case "trips": trip = parts[3]
    case "vehicles": vehicle = parts[3]
    default: break
    }
  }
}

extension JSONWriter {
  fileprivate mutating func members(of payload: CloudLogWriter.Payload) {
    member("request", json: payload.request)
    member("response", json: payload.response)
    guard let (code, message) = payload.error else { return }
    object("errorResponse") { json in
      json.member("httpStatusCode", code.httpStatus)
      json.member("code", code.description)
      json.member("message", message)
    }
  }
}

extension StatusCode {
  /// The HTTP status of Google's APIs for a code (google/rpc/code.proto).
  fileprivate var httpStatus: Int {
    switch self {
    case .ok: 200
    case .cancelled: 499
    case .invalidArgument, .failedPrecondition, .outOfRange: 400
    case .unauthenticated: 401
    case .permissionDenied: 403
    case .notFound: 404
    case .alreadyExists, .aborted: 409
    case .resourceExhausted: 429
    case .unimplemented: 501
    case .unavailable: 503
    case .deadlineExceeded: 504
    default: 500
    }
  }
}
