import DynamicProtobuf
import ProtobufDescriptors
import TestSupport
import Testing
import Tripwire

@testable import CommandCalls
@testable import CommandLine
@testable import CommandShell

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
  func otherNamesAreNotFound(text: String) throws {
    #expect(try Self.path(text) == nil)
  }

  @Test(arguments: ["", "/", "A/", "/A/", "a/b/c", "A."])
  func invalidNamesAreRejected(text: String) {
    #expect(throws: UsageError.self) { try MethodName(text) }
  }

  @Test(arguments: ["localhost:50051", "localhost:50051/pkg.Log/Write"])
  func addressHintsAtTheEndpointOption(text: String) {
    let error = #expect(throws: UsageError.self) { try MethodName(text) }
    #expect(error?.hint == "pass the server with --endpoint: --endpoint localhost:50051")
  }

  @Test func suggestsTheNearest() throws {
    func hint(_ text: String) throws -> String? {
      try MethodName(text).missing(from: EmbeddedSchema.schema(), ServerOptions()).hint
    }
    #expect(
      try hint("TripService/GetTirp") == "did you mean maps.fleetengine.v1.TripService/GetTrip?")
    #expect(
      try hint("TripServise/GetTrip") == "did you mean maps.fleetengine.v1.TripService/GetTrip?")
    #expect(
      try hint("tripservice/gettrip") == "did you mean maps.fleetengine.v1.TripService/GetTrip?")
    // The corrected service must have the method.
    #expect(try hint("TripServise/EmptyCall")?.hasPrefix("pass --protoset FILE") == true)
    #expect(
      try hint("SearchTrip") == "did you mean maps.fleetengine.v1.TripService/SearchTrips?")
    #expect(try hint("pkg.Whatever/Thing")?.contains("--protoset") == true)
  }

  /// --replay cannot be used with --endpoint.
  @Test func replaySuggestsNoEndpoint() throws {
    var options = ServerOptions()
    options.connection.replay = "trip.binlog"
    let error = try MethodName("pkg.Whatever/Thing")
      .missing(from: EmbeddedSchema.schema(), options)
    #expect(error.hint == "pass descriptors with --protoset FILE")
  }

  /// The command in the hint connects like the one that failed.
  @Test func listsTheServicesOfTheSameServer() {
    let origin = Schema.Origin.reflection("h:1")
    func hint(_ options: ServerOptions) -> String {
      origin.hint(options, SymbolLookup(origin, SchemaOptions(), options))
    }
    var options = ServerOptions()
    #expect(
      hint(options) == "run 'tripwire list --endpoint h:1' to list the services, or pass"
        + " --protoset FILE")
    options.tls.isPlaintext = true
    #expect(
      hint(options) == "run 'tripwire list --endpoint h:1 --plaintext' to list the services, or"
        + " pass --protoset FILE")
    options.token.file = "token.jwt"
    #expect(
      hint(options) == "run 'tripwire list' with the same connection options to list the"
        + " services, or pass --protoset FILE")
    options = ServerOptions()
    options.sources = ["cacert": .option]
    #expect(hint(options).hasPrefix("run 'tripwire list' with the same"))
  }

  @Test(arguments: [
    "TripService", "maps.fleetengine.v1.TripService", "/v1.TripService", ".v1.TripService",
  ])
  func serviceIsNotAMethod(text: String) throws {
    let error = try MethodName(text).missing(from: EmbeddedSchema.schema(), ServerOptions())
    #expect(
      error.message == "METHOD: maps.fleetengine.v1.TripService is a service, not a method")
    #expect(error.hint == "run 'tripwire list maps.fleetengine.v1.TripService' to list its methods")
  }

  @Test(arguments: [
    ("Trip", "maps.fleetengine.v1.Trip is a message"),
    ("v1.TripStatus", "maps.fleetengine.v1.TripStatus is an enum"),
  ])
  func typeIsNotAMethod(text: String, reason: String) throws {
    let error = try MethodName(text).missing(from: EmbeddedSchema.schema(), ServerOptions())
    #expect(error.message == "METHOD: \(reason), not a method")
    #expect(error.hint == "run 'tripwire list' to list the services")
  }

  /// A server may have thousands of services.
  @Test(arguments: ["Service1x/Do", "Dooo", "Service7777/Dx"])
  func suggestionsAreFastInALargeSchema(text: String) throws {
    var file = FileDescriptorProto(
      name: "many.proto", package: "many", messageType: [DescriptorProto(name: "Message")])
    let method = MethodDescriptorProto(
      name: "Do", inputType: ".many.Message", outputType: ".many.Message")
    for number in 0..<20_000 {
      file.service.append(ServiceDescriptorProto(name: "Service\(number)", method: [method]))
    }
    let pool = try DescriptorPool([file])
    let schema = Schema(
      pool: pool, origin: .embedded, services: pool.services.map(\.fullName))
    let name = try MethodName(text)
    let time = processorTime { #expect(name.missing(from: schema, ServerOptions()).hint != nil) }
    #expect(time < .seconds(10))
  }

  /// The defaults come from the service config of Fleet Engine.
  @Test func everyFleetEngineMethodHasDefaults() throws {
    let paths = try EmbeddedSchema.schema().pool.services
      .filter { $0.fullName.hasPrefix("maps.fleetengine.") }
      .flatMap { $0.methods.map(\.path) }
    #expect(Set(paths) == Set(FleetMethod.all.keys))
    #expect(paths.count == 25)
  }
}
