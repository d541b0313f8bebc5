import ProtobufDescriptors
import TestSupport
import Testing
import WireGRPC
import WireHTTP2
import WireProtobuf

@testable import Recording
@testable import Replay
@testable import WireGRPCServer

/// The health and reflection services, which the server offers with every recording.
@Suite struct ServerOwnServicesTests {
  typealias Pair = ServerCallsTests.Pair

  static func pair(_ calls: [RecordedCall] = [Recordings.call()]) throws -> Pair {
    try Pair(calls, descriptors: Descriptors.all)
  }

  // MARK: Health

  static func request(_ service: String) -> [UInt8] {
    GRPCClient.framed(HealthCheckRequest(service: service).serializedBytes())
  }

  static func statuses(
    _ reply: GRPCClient.Reply
  ) throws -> [HealthCheckResponse.ServingStatus] {
    var deframer = MessageDeframer(limit: 100)
    var rest = reply.body[...]
    var found: [HealthCheckResponse.ServingStatus] = []
    while let message = try deframer.receive(&rest) {
      found.append(try HealthCheckResponse(serializedBytes: message.bytes).status)
    }
    return found
  }

  @Test(arguments: [
    "", "test.Echo", "grpc.health.v1.Health", "grpc.reflection.v1.ServerReflection",
    "grpc.reflection.v1alpha.ServerReflection",
  ])
  func recordedAndOwnServicesAreServing(service: String) throws {
    let reply = try Self.pair().reply(HealthMethods.check.path, Self.request(service))
    #expect(try Self.statuses(reply) == [.serving])
    #expect(reply.status("grpc-status") == "0")
  }

  @Test func unknownServiceIsReported() throws {
    let pair = try Self.pair()
    let check = try pair.reply(HealthMethods.check.path, Self.request("test.Ech"))
    #expect(check.status("grpc-status") == "5")
    let watch = try pair.reply(HealthMethods.watch.path, Self.request("test.Ech"))
    #expect(try Self.statuses(watch) == [.serviceUnknown])
    #expect(watch.closure == nil)
  }

  @Test func invalidHealthRequestsAreRejected() throws {
    let pair = try Self.pair()
    for body in [[], GRPCClient.framed([0xff]), GRPCClient.framed([]) + GRPCClient.framed([])] {
      let reply = try pair.reply(HealthMethods.check.path, body)
      #expect(["3", "12"].contains(reply.status("grpc-status")))
    }
  }

  @Test func watchersAreNotifiedOfTheShutdown() throws {
    let pair = try Self.pair()
    let stream = try pair.client.send(HealthMethods.watch.path, Self.request(""))
    let open = try pair.client.send("/test.Echo/Say", [0], endStream: false)
    pair.run()
    #expect(try Self.statuses(#require(pair.client.replies[stream])) == [.serving])
    pair.wait(.seconds(100_000))
    pair.service.shutDown()
    pair.calls.shutDown()
    pair.run()
    let reply = try #require(pair.client.replies[stream])
    #expect(try Self.statuses(reply) == [.serving, .notServing])
    #expect(reply.status("grpc-status") == "14")
    #expect(reply.closure == .finished)
    _ = open
    let late = try pair.reply(HealthMethods.check.path, Self.request("test.Echo"))
    #expect(try Self.statuses(late) == [.notServing])
  }

  @Test func recordedHealthTakesPrecedence() throws {
    let response = HealthCheckResponse(status: .notServing)
    let call = Recordings.call(
      1, HealthMethods.check.path, [[]], responses: [response.serializedBytes()])
    let reply = try Self.pair([call]).reply(HealthMethods.check.path, Self.request(""))
    #expect(try Self.statuses(reply) == [.notServing])
  }

  // MARK: Reflection

  static func request(
    _ content: ServerReflectionRequest.MessageRequest
  ) -> [UInt8] {
    GRPCClient.framed(ServerReflectionRequest(messageRequest: content).serializedBytes())
  }

  static func responses(_ reply: GRPCClient.Reply) throws -> [ServerReflectionResponse] {
    var deframer = MessageDeframer(limit: 1 << 20)
    var rest = reply.body[...]
    var found: [ServerReflectionResponse] = []
    while let message = try deframer.receive(&rest) {
      found.append(try ServerReflectionResponse(serializedBytes: message.bytes))
    }
    return found
  }

  @Test(arguments: ReflectionService.paths)
  func reflectionAnswersSuccessiveRequests(path: String) throws {
    let pair = try Self.pair()
    let stream = try pair.client.send(path, Self.request(.listServices("")), endStream: false)
    pair.run()
    guard
      case .listServicesResponse(let list)? = try Self.responses(
        #require(pair.client.replies[stream])
      ).first?.messageResponse
    else { throw Refusal(.internal, "no list") }
    #expect(
      list.service.map(\.name) == [
        "grpc.health.v1.Health", "grpc.reflection.v1.ServerReflection",
        "grpc.reflection.v1alpha.ServerReflection", "test.Echo",
      ])
    let more =
      Self.request(.fileContainingSymbol("test.Echo")) + Self.request(.fileByFilename("none"))
    pair.client.session.sendData(stream, more, endStream: true)
    pair.run()
    let reply = try #require(pair.client.replies[stream])
    #expect(try Self.responses(reply).map(\.messageResponse).count == 3)
    #expect(reply.status("grpc-status") == "0")
    #expect(reply.closure == .finished)
    #expect(pair.context.heldBytes == 0)
  }

  @Test func emptyReflectionEndsOK() throws {
    let reply = try Self.pair().reply(ReflectionService.paths[0], [])
    #expect(reply.headers.first == HeaderField(":status", "200"))
    #expect(reply.status("grpc-status") == "0")
    #expect(reply.closure == .finished)
  }

  @Test func unreadReflectionResponsesAreLimited() throws {
    var configuration = HTTP2Configuration()
    configuration.streamWindow = 0
    let pair = try Pair(descriptors: Descriptors.all, client: configuration)
    let many = (0..<150).flatMap { _ in Self.request(.fileContainingSymbol("test.Echo")) }
    let stream = try pair.client.send(ReflectionService.paths[0], many, endStream: false)
    pair.run()
    #expect(pair.session.unsentBytes(stream) < 40_000)
    #expect(pair.calls.areHeldUp)
    let longer = (0..<1000).flatMap { _ in Self.request(.fileContainingSymbol("test.Echo")) }
    pair.client.session.sendData(stream, longer, endStream: false)
    pair.run()
    #expect(pair.session.unsentBytes(stream) < 40_000)
    #expect(pair.context.heldBytes < 2 * ReflectionService.requestSizeLimit)
  }

  @Test func reflectionContinuesWhenTheClientReads() throws {
    var configuration = HTTP2Configuration()
    configuration.streamWindow = 100
    let pair = try Pair(descriptors: Descriptors.all, client: configuration)
    let many = (0..<150).flatMap { _ in Self.request(.fileContainingSymbol("test.Echo")) }
    let reply = try pair.reply(ReflectionService.paths[0], many)
    #expect(try Self.responses(reply).count == 150)
    #expect(reply.status("grpc-status") == "0")
    #expect(pair.context.heldBytes == 0)
  }

  @Test func oversizedReflectionRequestIsRejected() throws {
    let pair = try Self.pair()
    let name = String(repeating: "a", count: ReflectionService.requestSizeLimit)
    let long = try pair.reply(
      ReflectionService.paths[0], Self.request(.fileByFilename(name)), endStream: false)
    #expect(long.status("grpc-status") == "8")
    let invalid = try pair.reply(
      ReflectionService.paths[0], GRPCClient.framed([0xff]), endStream: false)
    #expect(invalid.status("grpc-status") == "3")
  }

  @Test func idleReflectionTimesOut() throws {
    let pair = try Self.pair()
    let stream = try pair.client.send(
      ReflectionService.paths[0], Self.request(.listServices("")), endStream: false)
    pair.run()
    pair.wait(.seconds(299))
    #expect(pair.client.replies[stream]?.closure == nil)
    pair.wait(.seconds(1))
    #expect(pair.client.replies[stream]?.status("grpc-status") == "4")
  }

  @Test func recordedDescriptorsTakePrecedence() throws {
    var recorded = Descriptors.base
    recorded.messageType[0].name = "Recorded"
    let files = FileDescriptorResponse(fileDescriptorProto: [recorded.serializedBytes(), [0xff]])
    let response = ServerReflectionResponse(messageResponse: .fileDescriptorResponse(files))
    let call = Recordings.call(
      1, ReflectionService.paths[1], responses: [response.serializedBytes(), [0xff]])
    let pair = try Self.pair([call])
    let requests = ["a.Recorded", "a.Outer", "test.Echo"].flatMap {
      Self.request(.fileContainingSymbol($0))
    }
    let reply = try pair.reply(ReflectionService.paths[0], requests)
    let isKnown = try Self.responses(reply).map { response -> Bool in
      if case .fileDescriptorResponse? = response.messageResponse { true } else { false }
    }
    #expect(isKnown == [true, false, true])
  }

  // MARK: Tokens

  @Test func recordedCallsRequireAToken() throws {
    let pair = try Pair(requiresToken: true)
    let refused = try pair.reply()
    #expect(refused.status("grpc-status") == "16")
    let details = try #require(Base64.decode(refused.status("grpc-status-details-bin") ?? "!"))
    let status = try RPCStatus(serializedBytes: details)
    #expect(status.message == refused.status("grpc-message"))
    let info = try #require(try status.details.first?.unpack(ErrorInfo.self))
    #expect(info.reason == "CREDENTIALS_MISSING")
    let token = ["authorization": "Bearer x"] as [String: String?]
    #expect(
      try pair.reply("/test.Echo/Say", GRPCClient.framed([1]), token).status("grpc-status") == "0")
    #expect(try pair.reply("/test.Echo/Shout").status("grpc-status") == "12")
    #expect(
      try pair.reply(HealthMethods.check.path, Self.request("")).status("grpc-status") == "0")
    #expect(try pair.reply(ReflectionService.paths[0], []).status("grpc-status") == "0")
  }

  @Test func recordedHealthRequiresAToken() throws {
    let call = Recordings.call(1, HealthMethods.check.path, [[]])
    let pair = try Pair([call], requiresToken: true)
    #expect(
      try pair.reply(HealthMethods.check.path, Self.request("")).status("grpc-status") == "16")
  }
}
