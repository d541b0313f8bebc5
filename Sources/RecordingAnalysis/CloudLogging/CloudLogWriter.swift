import DynamicProtobuf
import Recording
import Tripwire
import WireProtobuf

/// Writes calls of Fleet Engine as log entries that Cloud Logging has of them, for Google's tools.
///
/// Fields and enum values have their names in the API. fleet-debugger draws the locations that vehicles
/// send, and a client only has those in responses. So a response to GetTrip or GetDeliveryVehicle is written
/// twice: as that, and as the update of the vehicle that it implies, with the label `tripwire: derived`. It is not
/// if the recording has real updates of that vehicle before.
package struct CloudLogWriter {
  private static let idPrefix = "tripwire-"
  /// The first bytes of every log entry.
  package static let opening = "{\"insertId\":\"\(idPrefix)"

  private struct Call {
    let method: ServiceDescriptor.Method
    var name = ""
    /// Whether a request was recorded, in part or as a whole.
    var hasRequest = false
    var request: [UInt8]?
    var response: [UInt8]?
    var isCanceled = false
  }

  /// Why a call has no log entry.
  package enum Omission: CaseIterable {
    case isInvalid, isCanceled, isUnfinished, isOfOtherService
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
  /// How many updates of vehicles were added.
  package private(set) var addedCount = 0
  /// How many calls have no log entry.
  package private(set) var omissions: [Omission: Int] = [:]
  /// The vehicles whose updates were written with a location.
  private var updatedVehicles: Set<String> = []

  package init(_ types: MessageTypes) {
    self.types = types
  }

  /// Returns the log entries of a call at its end: JSON objects.
  package mutating func add(
    _ entry: LoggedEntry
  ) throws(OpenCallsOverflow) -> [String] {
    let number = entry.call.number
    if entry.call.isNew { begin(entry) }
    switch (entry.value.type, entry.value.payload) {
    case (.clientMessage, .message(let message)) where calls[number]?.hasRequest == false:
      calls[number]?.hasRequest = true
      calls[number]?.name = types.resource(of: entry) ?? ""
      calls[number]?.request = entry.isComplete ? message.data : nil
      try calls.hold(message.data.count, in: number)
    case (.serverMessage, .message(let message)) where calls[number] != nil:
      // Not valid as a message: the call is left out.
      calls[number]?.response = entry.isComplete ? message.data : [0]
      try calls.hold(message.data.count, in: number)
    case (.cancel, _): calls[number]?.isCanceled = true
    default: break
    }
    guard let call = calls.end(at: entry) else { return [] }
    guard case .trailer(let trailer) = entry.value.payload else {
      omit(.isCanceled)
      return []
    }
    guard let texts = try? self.texts(of: call, trailer, entry) else {
      omit(.isInvalid)
      return []
    }
    callCount += 1
    addedCount += texts.count - 1
    if trailer.statusCode == 0, let request = call.request,
      RecordedResources.sentLocation(in: request, of: call.method.path) != nil
    {
      updatedVehicles.insert(call.name)
    }
    return texts
  }

  /// Called at the end of the recording.
  package mutating func end() {
    for call in calls.all { omit(call.isCanceled ? .isCanceled : .isUnfinished) }
  }

  private mutating func begin(_ entry: LoggedEntry) {
    guard let path = entry.call.method else { return omit(.isInvalid) }
    guard FleetMethod.all[path] != nil, let method = types.method(path) else {
      return omit(.isOfOtherService)
    }
    calls[entry.call.number] = Call(method: method)
  }

  private mutating func omit(_ reason: Omission) { omissions[reason, default: 0] += 1 }

  // MARK: Entries

  private func texts(
    of call: Call, _ trailer: BinlogTrailer, _ entry: LoggedEntry
  ) throws -> [String] {
    guard let bytes = call.request, let time = entry.value.timestamp else {
      throw CloudLogError("incomplete")
    }
    let resource = Resource(call.name)
    let code = StatusCode(rawValue: Int(trailer.statusCode))
    let payload = Payload(
      request: try request(bytes, call.method.input, resource),
      response: code == .ok ? try json(call.response ?? [], call.method.output) : nil,
      error: code == .ok ? nil : (code, trailer.statusMessage))
    let id = "\(Self.idPrefix)\(entry.call.number)"
    var texts = [try text(id, call.method, payload, resource, at: time)]
    guard code == .ok, let response = call.response,
      let read = RecordedResources.resource(in: response, of: call.method.path),
      call.method.path == read.kind.getPath, let update = Self.update(read, resource),
      !updatedVehicles.contains(update.name),
      let method = types.method(update.kind.path(of: "Update"))
    else { return texts }
    var vehicle = Resource(update.name)
    vehicle.ids.merge(resource.ids) { $1 }
    let derived = Payload(
      request: try request(update.request, method.input, vehicle),
      response: try json(update.response, method.output))
    texts.append(
      try text(id + "-vehicle", method, derived, vehicle, at: time, isDerived: true))
    return texts
  }

  private func text(
    _ id: String, _ method: ServiceDescriptor.Method, _ payload: Payload, _ resource: Resource,
    at time: Timestamp, isDerived: Bool = false
  ) throws -> String {
    let time = try time.jsonString()
    let project = "projects/\(resource.provider)"
    let isDelivery = method.path.hasPrefix("/maps.fleetengine.delivery.v1.")
    return JSONWriter.object { json in
      json.member("insertId", id)
      json.object("jsonPayload") { json in
        json.members(of: payload)
        json.member(
          "@type",
          "type.googleapis.com/maps.fleetengine.\(isDelivery ? "delivery." : "")v1.\(method.name)Log"
        )
      }
      json.object("labels") { json in
        for kind in ResourceKind.allCases {
          json.member(kind.idField, resource.ids[kind])
        }
        json.member("tripwire", isDerived ? "derived" : nil)
      }
      json.member(
        "logName",
        "\(project)/logs/fleetengine.googleapis.com%2F" + CloudLogNames.snakeCase(method.name))
      json.member("receiveTimestamp", json: time)
      json.object("resource") { json in
        json.member(
          "type", "fleetengine.googleapis.com/" + (isDelivery ? "DeliveryFleet" : "Fleet"))
        json.object("labels") { json in
          json.member("location", "global")
          json.member("resource_container", project)
        }
      }
      json.member("severity", payload.error == nil ? nil : "ERROR")
      json.member("timestamp", json: time)
    }
  }

  /// The request with the ID of the resource, which the logs have in place of the name.
  private func request(
    _ bytes: [UInt8], _ type: MessageDescriptor, _ resource: Resource
  ) throws -> String {
    let text = try json(bytes, type)
    return JSONWriter.object { json in
      for kind in ResourceKind.allCases where type[kind.idField] == nil {
        json.member(kind.idKey, resource.ids[kind])
      }
      json.members(ofObject: text)
    }
  }

  private func json(_ bytes: [UInt8], _ type: MessageDescriptor) throws -> String {
    try types.read(bytes, as: type).message.jsonString(
      options: DynamicJSONOptions(showsUnknownTypes: true))
  }

  /// An update of a vehicle, in binary form.
  private struct Update {
    let kind: ResourceKind
    let name: String
    let request: [UInt8]
    let response: [UInt8]
  }

  /// Returns the update of the vehicle that a response implies; nil without a location.
  private static func update(_ response: FleetResource, _ resource: Resource) -> Update? {
    switch response {
    case .trip(let trip):
      guard var location = trip.lastLocation, let id = resource.ids[.trip], !trip.vehicleId.isEmpty
      else { return nil }
      // fleet-debugger centers its map on measured locations.
      location.rawLocation = location.rawLocation ?? location.location
      location.rawLocationTime = location.rawLocationTime ?? location.updateTime
      let vehicle = Vehicle(
        name: "providers/\(resource.provider)/vehicles/\(trip.vehicleId)", currentTrips: [id],
        lastLocation: location, currentRouteSegment: trip.currentRouteSegment,
        remainingDistanceMeters: trip.remainingDistanceMeters,
        etaToFirstWaypoint: trip.etaToFirstWaypoint, waypoints: trip.remainingWaypoints)
      return Update(
        kind: .vehicle, name: vehicle.name,
        request: UpdateVehicleRequest(name: vehicle.name, vehicle: vehicle).serializedBytes(),
        response: vehicle.serializedBytes())
    case .deliveryVehicle(var vehicle):
      guard var location = vehicle.lastLocation else { return nil }
      location.rawLocation = location.rawLocation ?? location.location
      location.rawLocationTime = location.rawLocationTime ?? location.updateTime
      vehicle.lastLocation = location
      return Update(
        kind: .deliveryVehicle, name: vehicle.name,
        request: UpdateDeliveryVehicleRequest(deliveryVehicle: vehicle).serializedBytes(),
        response: vehicle.serializedBytes())
    default: return nil
    }
  }
}

/// The resource of a call.
private struct Resource {
  let provider: String
  var ids: [ResourceKind: String] = [:]

  /// - Parameter name: "providers/p/trips/t1", or that of the provider.
  init(_ name: String) {
    let parts = name.split(separator: "/", maxSplits: 3).map(String.init)
    provider = parts.count >= 2 ? parts[1] : ""
    if let kind = ResourceKind(ofName: name) { ids[kind] = parts[3] }
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
