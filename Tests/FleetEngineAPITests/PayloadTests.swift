import FleetEngineAPI
import TestSupport
import Testing
import WireProtobuf

extension Payload {
  /// Returns JSON in the form that this library writes: without white space between its parts, and
  /// with characters beyond ASCII instead of `\uXXXX`.
  static func compact(_ json: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var isInString = false
    var index = 0
    while index < json.count {
      let byte = json[index]
      index += 1
      if byte == UInt8(ascii: "\\") {
        let digits = String(decoding: json[(index + 1)..<(index + 5)], as: UTF8.self)
        if json[index] == UInt8(ascii: "u"), let value = UInt32(digits, radix: 16), value >= 0x80,
          let scalar = Unicode.Scalar(value)
        {
          result += Array(String(scalar).utf8)
          index += 5
        } else {
          result += [byte, json[index]]
          index += 1
        }
        continue
      }
      if byte == UInt8(ascii: "\"") { isInString.toggle() }
      if isInString || byte > 0x20 { result.append(byte) }
    }
    return result
  }
}

@Suite struct PayloadTests {
  static func check<M: Message>(_ type: M.Type, _ name: String) throws {
    let bytes = try Payload.bytes(name + ".pb")
    var unknown = 0
    let message = try M(serializedBytes: bytes, unknownFieldCount: &unknown)
    #expect(unknown == 0)
    #expect(message.serializedBytes() == bytes)

    let json = try message.jsonUTF8Bytes()
    let theirs = try Payload.bytes(name + ".json")
    #expect(json == Payload.compact(theirs))
    #expect(try M(jsonUTF8Bytes: theirs) == message)
    #expect(try M(jsonUTF8Bytes: json) == message)
    let pretty = try message.jsonString(options: .pretty)
    #expect(Payload.compact(Array(pretty.utf8)) == json)
    #expect(try M(jsonString: pretty) == message)

    let twin = try M(serializedBytes: bytes)
    #expect(twin == message)
    #expect(twin.hashValue == message.hashValue)
  }

  @Test(arguments: ["trip_small", "trip_medium", "trip_large"])
  func tripsRoundTrip(_ name: String) throws {
    try Self.check(Trip.self, name)
  }

  @Test func searchResponseRoundTrips() throws {
    try Self.check(SearchTripsResponse.self, "search_50")
  }

  @Test func unknownFieldsAreKept() throws {
    let bytes = try Payload.bytes("trip_unknown.pb")
    var unknown = 0
    var trip = try Trip(serializedBytes: bytes, unknownFieldCount: &unknown)
    #expect(trip.serializedBytes() == bytes)
    #expect(unknown >= 10)
    let kept = trip.unknownFields.bytes
    // A modification changes nothing else.
    trip.vehicleId += "x"
    let again = try Trip(serializedBytes: trip.serializedBytes())
    #expect(again == trip)
    #expect(again.unknownFields.bytes == kept)
  }

  @Test func decodesTripFields() throws {
    let trip = try Trip(serializedBytes: try Payload.bytes("trip_medium.pb"))
    #expect(trip.name.hasPrefix("providers/my-rides-gcp-project/trips/"))
    #expect(trip.tripStatus == .enrouteToPickup)
    #expect(trip.route.count == 200)
    #expect(trip.route.first == LatLng(latitude: 37.774749, longitude: -122.419308))
    #expect(trip.remainingWaypoints.count == 3)
    #expect(trip.lastLocation?.location != nil)
  }

  // MARK: Broken input

  @Test func everyPrefixDecodesOrThrows() throws {
    let bytes = try Payload.bytes("trip_medium.pb")
    var accepted = 0
    for count in bytes.indices {
      let prefix = Array(bytes[..<count])
      do {
        let trip = try Trip(serializedBytes: prefix)
        accepted += 1
        // A prefix that ends between two fields is a valid message.
        #expect(trip.serializedBytes() == prefix)
      } catch {
        #expect(error.byteOffset <= count)
        #expect(error.fieldPath.hasPrefix("Trip"))
      }
    }
    #expect(accepted > 200 && accepted < 300)
  }

  @Test func everyByteMutatedDecodesOrThrows() throws {
    let bytes = try Payload.bytes("trip_medium.pb")
    var accepted = 0
    for index in bytes.indices {
      var mutated = bytes
      mutated[index] ^= [0x01, 0x80, 0x07, 0xFF][index % 4]
      do {
        let trip = try Trip(serializedBytes: mutated)
        accepted += 1
        // An accepted message round-trips.
        let again = trip.serializedBytes()
        if index % 16 == 0 { #expect(try Trip(serializedBytes: again).serializedBytes() == again) }
      } catch {
        #expect(error.byteOffset <= bytes.count)
      }
    }
    #expect(accepted > 0 && accepted < bytes.count)
  }

  @Test func errorInARouteReportsItsPath() throws {
    let bytes = try Payload.bytes("trip_medium.pb")
    let trip = try Trip(serializedBytes: bytes)
    var before = trip
    before.route = Array(trip.route[..<3])
    let offset = Trip(route: before.route).serializedBytes().count
    var short = Trip(route: Array(trip.route[..<4])).serializedBytes()
    short[offset + 1] = 4
    #expect {
      try Trip(serializedBytes: short)
    } throws: { error in
      #expect("\(error)" == "Trip.route[3].latitude at byte \(offset + 3): truncated")
      return true
    }
  }
}
