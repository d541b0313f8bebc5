import FleetEngineAPI
import Testing

@testable import TripRelay

@Suite struct NATSTokenTests {
  @Test func plainIDsStayReadable() {
    #expect(NATSToken.encode("Trip-7_a") == "Trip-7_a")
    #expect(NATSToken.encode("example.com:my-project") == "example=2Ecom=3Amy-project")
    #expect(NATSToken.encode("fährt") == "f=C3=A4hrt")
  }

  @Test func everyASCIICharacterIsEncodedAndDecoded() {
    for byte in UInt8(0)..<128 {
      let id = "a\(Character(Unicode.Scalar(byte)))b"
      let token = NATSToken.encode(id)
      #expect(isLegal(token), "\(byte)")
      #expect(NATSToken.decode(token) == id)
    }
  }

  @Test func randomIDsAreEncodedAndDecoded() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2_000 {
      let id = String(
        String.UnicodeScalarView(
          (0..<Int.random(in: 1...64, using: &random)).map { _ in scalar(&random) }))
      let token = NATSToken.encode(id)
      #expect(isLegal(token))
      #expect(NATSToken.decode(token).map { Array($0.utf8) } == Array(id.utf8))
    }
  }

  @Test(arguments: ["", "a.b", "a=2e", "a=41", "a=", "a=2", "=C3", "a b", "*", ">", "a=GG"])
  func otherTokensAreRefused(token: String) {
    #expect(NATSToken.decode(token) == nil)
  }

  @Test func keysOfResourcesAreDecoded() throws {
    let name = ResourceName.trip(try TripName(providerID: "example.com:p", tripID: "täxi 1.*>"))
    let key = RelayNames.key(name)
    #expect(key == "example=2Ecom=3Ap.t=C3=A4xi=201=2E=2A=3E")
    #expect(RelayNames.name(key) == name)
    for kind in ResourceKind.allCases {
      let name = try ResourceName("providers/p/\(kind.rawValue)/täxi.1")
      #expect(RelayNames.name(RelayNames.key(name)) == name)
    }
    for other in ["a", "trips.a.b", "cars.a.b", "a.b.c.d", "a.b=2F", "tasks.a.b=2F"] {
      #expect(RelayNames.name(other) == nil)
    }
  }

  @Test func subjectsOfEachKindDiffer() throws {
    let task = try ResourceName("providers/p/tasks/t.1")
    #expect(RelayNames.key(task) == "tasks.p.t=2E1")
    #expect(StreamLayout.single.subject(of: task) == "tripwire.v1.tasks.p.t=2E1")
    #expect(RelayNames.liveSubject(task) == "tripwire.v1.live-tasks.p.t=2E1")
    let trip = try ResourceName("providers/tasks/trips/t")
    #expect(RelayNames.key(trip) == "tasks.t")
    #expect(StreamLayout.single.subject(of: trip) == "tripwire.v1.trips.tasks.t")
    #expect(RelayNames.liveSubject(trip) == "tripwire.v1.live.tasks.t")
    #expect(
      ResourceKind.allCases.flatMap { StreamLayout.single.streams(of: $0).map(\.name) } == [
        "TRIPWIRE_TRIPS", "TRIPWIRE_VEHICLES", "TRIPWIRE_TASKS", "TRIPWIRE_DELIVERY_VEHICLES",
        "TRIPWIRE_TASK_TRACKING_INFO",
      ])
  }

  private func scalar(_ random: inout SystemRandomNumberGenerator) -> Unicode.Scalar {
    while true {
      if let scalar = Unicode.Scalar(UInt32.random(in: 0...0x10ffff, using: &random)) {
        return scalar
      }
    }
  }

  /// Whether it is legal in subjects and in keys of buckets.
  private func isLegal(_ token: String) -> Bool {
    !token.isEmpty
      && token.utf8.allSatisfy { byte in
        let scalar = Unicode.Scalar(byte)
        return scalar.properties.isAlphabetic && byte < 128
          || "0123456789-_=".unicodeScalars.contains(scalar)
      }
  }
}
