import DynamicProtobuf
import Testing

@testable import TripwireCLI

@Suite struct MethodNameTests {
  static func path(_ text: String) throws -> String? {
    try MethodName(text).find(in: EmbeddedSchema.schema())?.method.path
  }

  @Test(arguments: [
    "maps.fleetengine.v1.TripService/GetTrip", "/maps.fleetengine.v1.TripService/GetTrip",
    "maps.fleetengine.v1.TripService.GetTrip", "TripService/GetTrip", "v1.TripService.GetTrip",
    "GetTrip",
  ])
  func findsMethods(text: String) throws {
    #expect(try Self.path(text) == "/maps.fleetengine.v1.TripService/GetTrip")
  }

  @Test(arguments: ["Service/GetTrip", "TripService/gettrip", "pService/GetTrip", "Get"])
  func findsNoOthers(text: String) throws {
    #expect(try Self.path(text) == nil)
  }

  @Test(arguments: ["", "/", "A/", "/A/", "a/b/c", "A."])
  func refusesWhatIsNoName(text: String) {
    #expect(throws: UsageError.self) { try MethodName(text) }
  }

  @Test func suggestsTheNearest() throws {
    func hint(_ text: String) throws -> String? {
      try MethodName(text).missing(from: EmbeddedSchema.schema()).hint
    }
    #expect(
      try hint("TripService/GetTirp") == "did you mean maps.fleetengine.v1.TripService/GetTrip?")
    #expect(
      try hint("TripServise/GetTrip") == "did you mean maps.fleetengine.v1.TripService/GetTrip?")
    #expect(
      try hint("SearchTrip") == "did you mean maps.fleetengine.v1.TripService/SearchTrips?")
    #expect(try hint("pkg.Whatever/Thing")?.contains("--protoset") == true)
  }

  /// All that Fleet Engine has, by what its service config says.
  @Test func everyMethodOfFleetEngineHasItsDefaults() throws {
    let paths = try EmbeddedSchema.schema().pool.services
      .filter { $0.fullName.hasPrefix("maps.fleetengine.") }
      .flatMap { $0.methods.map(\.path) }
    #expect(Set(paths) == Set(FleetEngineMethods.defaults.keys))
    #expect(paths.count == 13)
  }
}
