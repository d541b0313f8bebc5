import CommandLine
import CommandShell
import FleetEmulator
import Recording
import RouteFiles
import Tripwire
import WireProtobuf
import WireSystem

/// The locations of a vehicle in a recording of calls: those that its app sent or, if there are none, those that a
/// client got with the vehicle or its trip.
struct RecordedRoute {
  /// Whether a file begins as a gRPC binary log, with the size of an entry, or is compressed.
  static func isRecording(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0x1F, 0x8B])
      || bytes.first == 0 && bytes.dropFirst().first != UInt8(ascii: "<")
  }

  /// By the collection and the ID of the resource, such as "vehicles/v1".
  private var sent: [String: [RoutePoint]] = [:]
  private var received: [String: [RoutePoint]] = [:]

  /// - Parameters:
  ///   - bytes: those that were read from the file.
  ///   - path: of the file, for errors.
  init(_ bytes: [UInt8], before file: LocalFile, of path: String) throws(ErrorReport) {
    let source = BinaryLogSource(path: path, file, after: bytes)
    let calls = try mapError(RecordedCalls([source])) { (error: BinaryLogError) in
      ErrorReport(
        local: escaped("--along: \(error)"), of: "--along",
        hint: error.hint ?? "pass GPX, GeoJSON, an encoded polyline or a recording")
    }
    for call in calls.calls { add(call) }
  }

  /// Returns the route of a vehicle of any provider with this ID, or of the only resource.
  func route(of name: ResourceName) throws(RouteFileError) -> Route {
    let tracks = sent.isEmpty ? received : sent
    if let track = tracks[Self.key(name.description)]
      ?? (tracks.count == 1 ? tracks.values.first : nil)
    {
      return try Route(of: track)
    }
    let names = tracks.keys.sorted()
    throw RouteFileError(
      nil,
      names.isEmpty
        ? "no call in the recording has a location"
        : "the recording has locations of \(names.count) resources: "
          + names.prefix(3).joined(separator: ", "),
      hint: names.isEmpty
        ? "pass a recording of an app that sends locations, or of a client that follows a vehicle"
        : "pass the ID of a vehicle in the recording, or a recording of one vehicle or trip")
  }

  private static func key(_ name: String) -> String {
    name.split(separator: "/").suffix(2).joined(separator: "/")
  }

  private mutating func add(_ call: RecordedCall) {
    if call.method == ResourceKind.vehicle.path(of: "Update") {
      for bytes in call.requests {
        guard let request = try? UpdateVehicleRequest(serializedBytes: bytes) else { continue }
        Self.add(request.vehicle?.lastLocation, of: request.name, call, to: &sent)
      }
    } else if call.method == ResourceKind.deliveryVehicle.path(of: "Update") {
      for bytes in call.requests {
        let request = try? UpdateDeliveryVehicleRequest(serializedBytes: bytes)
        guard let vehicle = request?.deliveryVehicle else { continue }
        Self.add(
          vehicle.lastLocation.map(VehicleLocation.init), of: vehicle.name, call, to: &sent)
      }
    } else if let kind = ResourceKind.allCases.first(where: { $0.getPath == call.method }) {
      for bytes in call.responses {
        guard let message = try? kind.messageType.init(serializedBytes: bytes) else { continue }
        Self.add(message.locationOfVehicle, of: message.name, call, to: &received)
      }
    }
  }

  private static func add(
    _ location: VehicleLocation?, of name: String, _ call: RecordedCall,
    to tracks: inout [String: [RoutePoint]]
  ) {
    guard let location, let place = location.location ?? location.rawLocation, place.isOnGlobe
    else { return }
    let time = location.updateTime ?? location.rawLocationTime ?? call.time
    // A client gets the same location many times, and a retry may overtake a newer one.
    let key = key(name)
    if let last = tracks[key]?.last?.time, let time, time <= last { return }
    tracks[key, default: []].append(RoutePoint(place: place, time: time))
  }
}
