import FleetEngineAPI
import WireGRPC
import WireProtobuf

/// What a request asks for, apart from who asks and what the asker has already.
struct RequestForm {
  /// The request without its header and version stamps, in our own encoding: equal for requests
  /// that want the same thing, whatever order their fields came in; nil of whatever it asks for about
  /// the resource.
  var canonical: [UInt8]?
  /// The name of what is asked for, such as "providers/p/trips/t1"; empty if it has none.
  var resource: String

  /// The same of whichever provider, "trips/t1"; nil where it is not of one.
  var shortResource: String? {
    let parts = resource.split(separator: "/", maxSplits: 2)
    return parts.count == 3 && parts[0] == "providers" ? String(parts[2]) : nil
  }
}

/// Reads the requests of the methods of Fleet Engine.
package enum RequestReader {
  /// The name of what a request asks for, "providers/p/trips/t1"; nil when it does not say.
  package static func resource(of request: [UInt8], to path: String) -> String? {
    form(path, request).flatMap { $0.resource.isEmpty ? nil : $0.resource }
  }

  /// Nil for a method that is not known, and for bytes that are not a request of it.
  static func form(_ path: String, _ bytes: [UInt8]) -> RequestForm? {
    readers[path]?(bytes)
  }

  private typealias Reader = @Sendable ([UInt8]) -> RequestForm?

  // Version stamps say what the client has seen. An answer recorded for one with others may repeat
  // some of it, or leave out what this client has not, but is nearer than none.
  private static let readers = {
    typealias Trips = TripServiceMethods
    typealias Vehicles = VehicleServiceMethods
    var readers: [String: Reader] = [:]

    func add<Request, Response>(
      _ method: MethodDescriptor<Request, Response>,
      named name: (@Sendable (Request) -> String)? = nil,
      without strip: @escaping @Sendable (inout Request) -> Void
    ) {
      readers[method.path] = { bytes in
        guard var request = try? Request(serializedBytes: bytes) else { return nil }
        strip(&request)
        return RequestForm(
          canonical: request.serializedBytes(),
          resource: (name ?? method.routing?.value)?(request) ?? "")
      }
    }

    // What is created is asked for by the name it is to have.
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

  /// The methods it knows.
  static var paths: [String] { Array(readers.keys) }
}
