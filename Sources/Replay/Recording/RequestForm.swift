import FleetEngineAPI
import WireGRPC
import WireProtobuf

/// The parts of a request that determine the call that answers it.
struct RequestForm {
  /// The request without its header and version stamps, in the encoding of this library. Equal requests
  /// have the same form, whatever the order of their fields.
  var canonical: [UInt8]
  /// The name of the resource, such as "providers/p/trips/t1"; empty if the request names none.
  var resource: String

  /// The name without its provider, "trips/t1"; nil if it does not begin with one.
  var shortResource: String? {
    let parts = resource.split(separator: "/", maxSplits: 2)
    return parts.count == 3 && parts[0] == "providers" ? String(parts[2]) : nil
  }
}

/// Reads the requests of the methods of Fleet Engine.
package enum RequestReader {
  /// Returns the name of the resource in a request, "providers/p/trips/t1"; nil if it has none.
  package static func resource(of request: [UInt8], to path: String) -> String? {
    form(path, request).flatMap { $0.resource.isEmpty ? nil : $0.resource }
  }

  /// Returns nil for an unknown method, and for bytes that are not a request of the method.
  static func form(_ path: String, _ bytes: [UInt8]) -> RequestForm? {
    readers[path]?.form(bytes)
  }

  /// The names of the top-level fields in which two requests differ, header and version stamps
  /// included; empty if they are equal, or are not requests of a known method.
  static func changes(from recorded: [UInt8], to request: [UInt8], of path: String) -> [String] {
    readers[path]?.changes(recorded, request) ?? []
  }

  /// The fields in which a request differs from the most similar of some others.
  ///
  /// - Parameter others: requests of the same method.
  static func differences(
    of request: [UInt8], from others: [[UInt8]], path: String
  ) -> [RequestDifference] {
    readers[path]?.differences(request, others) ?? []
  }

  private struct Reader: Sendable {
    let form: @Sendable ([UInt8]) -> RequestForm?
    let changes: @Sendable ([UInt8], [UInt8]) -> [String]
    let differences: @Sendable ([UInt8], [[UInt8]]) -> [RequestDifference]
  }

  // Version stamps name the parts of a trip that the client has. The response recorded for other stamps
  // may repeat or leave out some parts, but is better than none.
  private static let readers = {
    typealias Trips = TripServiceMethods
    typealias Vehicles = VehicleServiceMethods
    var readers: [String: Reader] = [:]

    func add<Request, Response>(
      _ method: MethodDescriptor<Request, Response>,
      named name: (@Sendable (Request) -> String)? = nil,
      without strip: @escaping @Sendable (inout Request) -> Void
    ) {
      readers[method.path] = Reader(
        form: { bytes in
          guard var request = try? Request(serializedBytes: bytes) else { return nil }
          strip(&request)
          return RequestForm(
            canonical: request.serializedBytes(),
            resource: (name ?? method.routing?.value)?(request) ?? "")
        },
        changes: { RequestDifference.changedFields(Request.self, $0, $1) },
        differences: { RequestDifference.all(Request.self, of: $0, from: $1) })
    }

    // A request to create a resource has the name of the new resource.
    add(
      Trips.createTrip, named: { "\($0.parent)/trips/\($0.tripId)" },
      without: { $0.header = nil })
    add(Trips.getTrip) {
      $0.header = nil
      $0.currentRouteSegmentVersion = nil
      $0.currentRouteSegmentTrafficVersion = nil
      $0.remainingWaypointsVersion = nil
      $0.remainingWaypointsRouteVersion = nil
    }
    add(Trips.deleteTrip) { $0.header = nil }
    add(Trips.reportBillableTrip) { _ in }
    add(Trips.searchTrips) { $0.header = nil }
    add(Trips.updateTrip) { $0.header = nil }
    add(
      Vehicles.createVehicle, named: { "\($0.parent)/vehicles/\($0.vehicleId)" },
      without: { $0.header = nil })
    add(Vehicles.getVehicle) {
      $0.header = nil
      $0.currentRouteSegmentVersion = nil
      $0.waypointsVersion = nil
    }
    add(Vehicles.deleteVehicle) { $0.header = nil }
    add(Vehicles.updateVehicle) { $0.header = nil }
    add(Vehicles.updateVehicleAttributes) { $0.header = nil }
    add(Vehicles.listVehicles) { $0.header = nil }
    add(Vehicles.searchVehicles) { $0.header = nil }
    return readers
  }()

  /// The known methods.
  static var paths: [String] { Array(readers.keys) }
}
