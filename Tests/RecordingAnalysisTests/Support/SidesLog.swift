import Recording
import Tripwire
import WireProtobuf

@testable import CommandShell
@testable import RecordingAnalysis

/// Calls of a client and of a server, in the order in which they are added. Times are in seconds since 1970.
struct SidesLog {
  static let getTrip = "/maps.fleetengine.v1.TripService/GetTrip"
  static let name = "providers/p/trips/t1"

  private(set) var entries: [LoggedEntry] = []
  private var numbers = CallNumbers()
  private var lastID: UInt64 = 0

  static func types() throws -> MessageTypes { MessageTypes(pool: try EmbeddedSchema.pool([])) }

  /// - Parameters:
  ///   - trip: nil for a call that the client gives up.
  ///   - date: the header of the response.
  mutating func get(
    _ trip: Trip?, from start: Double, to end: Double,
    by logger: BinlogGrpcLogEntry.Logger = .client,
    date: String? = nil
  ) {
    lastID += 1
    let header = BinlogClientHeader(
      methodName: Self.getTrip, authority: "fleetengine.googleapis.com")
    add(.clientHeader, .clientHeader(header), at: start, logger)
    add(.clientMessage, message(GetTripRequest(name: Self.name)), at: start, logger)
    if let trip {
      let fields = date.map { [BinlogMetadataEntry(key: "date", value: Array($0.utf8))] } ?? []
      add(
        .serverHeader, .serverHeader(BinlogServerHeader(metadata: BinlogMetadata(entry: fields))),
        at: end, logger)
      add(.serverMessage, message(trip), at: end, logger)
    }
    let code = trip == nil ? StatusCode.deadlineExceeded.rawValue : 0
    add(.serverTrailer, .trailer(BinlogTrailer(statusCode: UInt32(code))), at: end, logger)
  }

  private func message(_ message: some Message) -> BinlogGrpcLogEntry.Payload {
    let data = message.serializedBytes()
    return .message(BinlogMessage(length: UInt32(data.count), data: data))
  }

  private mutating func add(
    _ type: BinlogGrpcLogEntry.EventType, _ payload: BinlogGrpcLogEntry.Payload, at time: Double,
    _ logger: BinlogGrpcLogEntry.Logger
  ) {
    let entry = BinlogGrpcLogEntry(
      timestamp: Timestamp(secondsSince1970: time), callId: lastID, sequenceIdWithinCall: 1,
      type: type, logger: logger, payload: payload)
    entries.append(LoggedEntry(entry, of: numbers.call(of: entry)))
  }

  /// A trip with a location that the server got at this time.
  static func trip(_ time: Double, _ status: TripStatus = .enrouteToPickup) -> Trip {
    var trip = Trip(name: name, vehicleId: "v1", tripStatus: status)
    trip.lastLocation = VehicleLocation(
      location: LatLng(latitude: 50 + time / 1e5, longitude: 8),
      updateTime: Timestamp(secondsSince1970: time), serverTime: Timestamp(secondsSince1970: time))
    return trip
  }
}
