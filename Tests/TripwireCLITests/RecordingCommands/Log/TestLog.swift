import FleetEngineAPI
import Recording
import TestSupport
import WireProtobuf

@testable import CommandShell
@testable import TripwireCLI

/// A binary log that starts at 2026-11-21T09:30:00Z.
struct TestLog {
  static let getTrip = "/maps.fleetengine.v1.TripService/GetTrip"

  var entries: [BinlogGrpcLogEntry] = []
  /// Milliseconds since the log began.
  var now: Int64 = 0
  private var lastID: UInt64 = 0
  private var lengths: [UInt64: UInt64] = [:]

  /// Adds the header of a call and returns the call's ID.
  mutating func begin(
    _ method: String = getTrip, metadata: [(String, [UInt8])] = [],
    logger: BinlogGrpcLogEntry.Logger = .client
  ) -> UInt64 {
    lastID += 1
    let header = BinlogClientHeader(
      metadata: Self.metadata(metadata), methodName: method, authority: "fleetengine.googleapis.com"
    )
    add(lastID, .clientHeader, .clientHeader(header), logger)
    return lastID
  }

  mutating func add(
    _ id: UInt64, _ type: BinlogGrpcLogEntry.EventType,
    _ payload: BinlogGrpcLogEntry.Payload? = nil, _ logger: BinlogGrpcLogEntry.Logger = .client
  ) {
    var entry = BinlogGrpcLogEntry(callId: id)
    lengths[id, default: 0] += 1
    entry.sequenceIdWithinCall = lengths[id] ?? 0
    entry.type = type
    entry.logger = logger
    entry.payload = payload
    entry.timestamp = Self.time(now)
    entries.append(entry)
  }

  mutating func send(_ id: UInt64, _ message: some Message) {
    add(id, .clientMessage, Self.message(message.serializedBytes()))
    add(id, .clientHalfClose)
  }

  mutating func respond(_ id: UInt64, _ message: some Message) {
    add(id, .serverHeader, .serverHeader(BinlogServerHeader()))
    add(id, .serverMessage, Self.message(message.serializedBytes()))
    end(id)
  }

  /// - Parameter isLocal: whether the status was generated locally.
  mutating func end(
    _ id: UInt64, _ code: UInt32 = 0, _ text: String = "", details: [UInt8] = [],
    isLocal: Bool = false
  ) {
    let isAnswered = entries.contains { $0.callId == id && $0.type == .serverHeader }
    let trailer = BinlogTrailer(statusCode: code, statusMessage: text, statusDetails: details)
    add(id, .serverTrailer, .trailer(trailer))
    if code != 0, !isAnswered, !isLocal {
      entries[entries.count - 1].peer = BinlogAddress(type: .ipv4, address: "192.0.2.1")
    }
  }

  /// Adds a complete GetTrip call with a latency of 35 ms.
  mutating func getTrip(_ request: GetTripRequest, _ trip: Trip) {
    let id = begin()
    send(id, request)
    now += 35
    respond(id, trip)
  }

  static func time(_ milliseconds: Int64) -> Timestamp {
    Timestamp(
      seconds: TestConsole.clock.now + milliseconds / 1_000,
      nanos: Int32(milliseconds % 1_000) * 1_000_000)
  }

  static func message(_ bytes: [UInt8]) -> BinlogGrpcLogEntry.Payload {
    .message(BinlogMessage(length: UInt32(bytes.count), data: bytes))
  }

  static func metadata(_ fields: [(String, [UInt8])]) -> BinlogMetadata {
    BinlogMetadata(
      entry: fields.map { key, value in
        BinlogMetadataEntry(key: key, value: value)
      })
  }

  var bytes: [UInt8] { entries.flatMap(\.framed) }

  /// Runs `tripwire log` on a file with this log.
  func run(_ options: String...) async throws -> (code: ExitCode, output: String, error: String) {
    try await run(options)
  }

  func run(_ options: [String]) async throws -> (code: ExitCode, output: String, error: String) {
    let test = TestConsole()
    let code = try await withFile(bytes) { path in
      await tripwire(["log", path] + options, test.console)
    }
    return (code, test.output, test.error)
  }
}
