import ProtobufDescriptors
import TestSupport
import Testing
import WireGRPC
import WireProtobuf

@testable import WireGRPCServer

@Suite struct ReflectionServiceTests {
  let service = ReflectionService(
    services: ["test.Echo"], files: Descriptors.all)

  static func respond(
    _ reflection: inout ReflectionStream, _ query: ServerReflectionRequest.MessageRequest?
  ) throws -> ServerReflectionResponse {
    let request = ServerReflectionRequest(host: "here", messageRequest: query)
    let frame = try reflection.response(to: request.serializedBytes())
    let response = try ServerReflectionResponse(serializedBytes: Array(frame.dropFirst(5)))
    #expect(response.originalRequest == request)
    #expect(response.validHost == "here")
    return response
  }

  /// The names of the files in the response.
  static func files(_ response: ServerReflectionResponse) throws -> [String?]? {
    guard case .fileDescriptorResponse(let files)? = response.messageResponse else { return nil }
    return try files.fileDescriptorProto.map { try FileDescriptorProto(serializedBytes: $0).name }
  }

  static func code(_ response: ServerReflectionResponse) -> Int32? {
    guard case .errorResponse(let error)? = response.messageResponse else { return nil }
    return error.errorCode
  }

  @Test func listsTheServices() throws {
    var reflection = ReflectionStream(service)
    guard
      case .listServicesResponse(let list)? =
        try Self.respond(&reflection, .listServices("*")).messageResponse
    else { throw Refusal(.internal, "no list") }
    #expect(list.service.map(\.name) == ["test.Echo"])
  }

  @Test func importsAreSentOnce() throws {
    var reflection = ReflectionStream(service)
    #expect(
      try Self.files(Self.respond(&reflection, .fileContainingSymbol("b.Holder")))
        == ["b/options.proto", "a/base.proto"])
    #expect(
      try Self.files(Self.respond(&reflection, .fileContainingSymbol("test.Echo")))
        == ["test/echo.proto"])
    // A requested file is sent again.
    #expect(
      try Self.files(Self.respond(&reflection, .fileByFilename("a/base.proto"))) == ["a/base.proto"]
    )
    // Another stream starts without any files.
    var other = ReflectionStream(service)
    #expect(try Self.files(Self.respond(&other, .fileContainingSymbol("test.Echo")))?.count == 3)
  }

  @Test func findsExtensions() throws {
    var reflection = ReflectionStream(service)
    let wanted = ExtensionRequest(containingType: "a.Outer", extensionNumber: 51)
    #expect(
      try Self.files(Self.respond(&reflection, .fileContainingExtension(wanted)))?.first
        == "b/options.proto")
    guard
      case .allExtensionNumbersResponse(let numbers)? =
        try Self.respond(&reflection, .allExtensionNumbersOfType("a.Outer")).messageResponse
    else { throw Refusal(.internal, "no numbers") }
    #expect(numbers.baseTypeName == "a.Outer")
    #expect(numbers.extensionNumber == [50, 51])
  }

  @Test func reportsUnknownSymbols() throws {
    var reflection = ReflectionStream(service)
    let wanted = ExtensionRequest(containingType: "a.Outer")
    for query in [
      .fileByFilename("x"), .fileContainingSymbol("x"), .fileContainingExtension(wanted),
      .allExtensionNumbersOfType("x"),
    ] as [ServerReflectionRequest.MessageRequest] {
      #expect(Self.code(try Self.respond(&reflection, query)) == 5)
    }
    #expect(Self.code(try Self.respond(&reflection, nil)) == 3)
    #expect(throws: Refusal.self) { try reflection.response(to: [0xff]) }
  }

  @Test func derivesTheV1alphaDescriptor() throws {
    let file = Descriptors.file("grpc/reflection/v1/reflection.proto", "grpc.reflection.v1") {
      let type = DescriptorProto(
        name: "Question",
        field: [FieldDescriptorProto(name: "file", typeName: ".grpc.reflection.v1.File")])
      $0.messageType = [type]
      var service = ServiceDescriptorProto(name: "ServerReflection")
      let method = MethodDescriptorProto(
        inputType: ".grpc.reflection.v1.Question", outputType: ".google.protobuf.Any")
      service.method = [method]
      $0.service = [service]
    }
    let index = ReflectionService(services: [], files: [file]).index
    let place = try #require(index.file(declaring: ReflectionService.serviceNames[1]))
    let alpha = try FileDescriptorProto(serializedBytes: index.bytes(of: place))
    #expect(alpha.name == "grpc/reflection/v1alpha/reflection.proto")
    #expect(alpha.messageType[0].field[0].typeName == ".grpc.reflection.v1alpha.File")
    #expect(alpha.service[0].method[0].inputType == ".grpc.reflection.v1alpha.Question")
    #expect(alpha.service[0].method[0].outputType == ".google.protobuf.Any")
    #expect(index.file(declaring: ReflectionService.serviceNames[0]) != place)
  }

  @Test func preferredFilesComeFirst() throws {
    var preferred = Descriptors.base
    preferred.messageType[0].name = "Preferred"
    let index = ReflectionService(
      services: [], preferred: [preferred], files: Descriptors.all
    ).index
    #expect(index.file(declaring: "a.Preferred") != nil)
    #expect(index.file(declaring: "a.Outer") == nil)
    #expect(index.file(declaring: "test.Echo") != nil)
  }
}
