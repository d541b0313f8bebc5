import TestSupport
import Testing
import WireGRPC

@testable import WireGRPCServer

@Suite struct RequestHeadTests {
  static let path = "/test.Echo/Say"

  @Test func parsesTheHeaders() throws {
    let head = try RequestHead(
      GRPCClient.headers(Self.path, ["grpc-timeout": "250m", "grpc-encoding": "GZip"]))
    #expect(head.path == Self.path)
    #expect(head.timeout == .milliseconds(250))
    #expect(head.coding == .gzip)
  }

  @Test(arguments: [
    "application/grpc", "application/grpc+proto", "application/grpc;x=1", "Application/gRPC+Proto",
  ]) func protobufContentTypesAreAccepted(type: String) throws {
    _ = try RequestHead(GRPCClient.headers(Self.path, ["content-type": type]))
  }

  @Test(
    arguments: [
      (["content-type": "application/json"], 415, StatusCode.unknown),
      (["content-type": "application/grpc-web"], 415, .unknown),
      (["content-type": "application/grpc+json"], 415, .unknown),
      (["content-type": nil], 415, .unknown),
      ([":method": "GET"], 405, .internal),
      ([":path": "/"], 200, .unimplemented),
      ([":path": "test.Echo/Say"], 200, .unimplemented),
      ([":path": "/test.Echo/"], 200, .unimplemented),
      ([":path": nil], 200, .unimplemented),
      (["grpc-timeout": "1"], 200, .internal),
      (["grpc-timeout": "123456789m"], 200, .internal),
      (["grpc-encoding": "snappy"], 200, .unimplemented),
    ] as [([String: String?], Int, StatusCode)])
  func invalidRequestsAreRejected(changes: [String: String?], httpStatus: Int, code: StatusCode) {
    #expect {
      _ = try RequestHead(GRPCClient.headers(Self.path, changes))
    } throws: { error in
      let refusal = error as? Refusal
      return refusal?.httpStatus == httpStatus && refusal?.status.code == code
    }
  }

  @Test func longValuesAreShortenedInErrors() throws {
    let long = String(repeating: "x", count: 10_000)
    let refusal = try #require(throws: Refusal.self) {
      try RequestHead(GRPCClient.headers(Self.path, ["content-type": long]))
    }
    #expect(refusal.status.message.contains("xxx"))
    #expect(refusal.status.message.utf8.count < 200)
  }

  @Test(
    arguments: [
      ("Bearer abc", true), ("bearer a.b-c", true), ("BEARER  x", true), ("Bearer", false),
      ("Bearer ", false), ("Basic dTpw", false), ("abc", false), ("", false), (nil, false),
    ] as [(String?, Bool)])
  func detectsABearerToken(credentials: String?, hasToken: Bool) throws {
    let head = try RequestHead(GRPCClient.headers("/s/m", ["authorization": credentials]))
    #expect((head.token != nil) == hasToken)
  }
}
