import TestSupport
import Testing
import WireGRPC

@testable import WireGRPCServer

@Suite struct IncomingRequestTests {
  static func call(limit: Int = 100, _ changes: [String: String?] = [:]) throws -> IncomingRequest {
    let head = try RequestHead(GRPCClient.headers("/test.Echo/Say", changes))
    return IncomingRequest(head, limit: limit)
  }

  static func refusal(_ body: () throws -> Void) throws -> Refusal {
    try #require(throws: Refusal.self, performing: body)
  }

  @Test func messagesMayBeSplitAnywhere() throws {
    let messages: [[UInt8]] = [[1, 2, 3], [], [9]]
    let bytes = messages.flatMap { GRPCClient.framed($0) }
    for size in 1...bytes.count {
      var call = try Self.call()
      for start in stride(from: 0, to: bytes.count, by: size) {
        try call.receive(bytes[start..<min(start + size, bytes.count)])
      }
      try call.finish()
      #expect(call.messages == messages)
    }
  }

  @Test func oversizedMessageIsRejectedByItsLength() throws {
    var call = try Self.call()
    let refusal = try Self.refusal { try call.receive([0, 0, 0, 0, 101]) }
    #expect(refusal.status.code == .resourceExhausted)
    #expect(refusal.status.message.contains("101"))
    #expect(refusal.status.message.contains("100"))
  }

  @Test func totalSizeOfMessagesIsLimited() throws {
    var call = try Self.call()
    let refusal = try Self.refusal {
      for _ in 0..<1000 { try call.receive(GRPCClient.framed([])[...]) }
    }
    #expect(refusal.status.code == .resourceExhausted)
    #expect(call.size < 2000)
  }

  @Test func takenMessagesReleaseTheirSpace() throws {
    var call = try Self.call(limit: 200, ["grpc-encoding": "gzip"])
    for _ in 0..<100 {
      try call.receive((GRPCClient.framed([1, 2]) + GRPCClient.framed(Self.gzip, flag: 1))[...])
      try call.receive([0, 0])
      #expect(Array(call.take(1)) == [[1, 2]])
      #expect(Array(call.take()) == [Array("hello".utf8)])
      #expect(call.size == 2)
      try call.receive([0, 0, 1, 9])
      #expect(Array(call.take()) == [[9]])
      #expect(call.size == 0)
    }
  }

  @Test func truncatedMessageIsRejected() throws {
    var call = try Self.call()
    try call.receive([0, 0, 0, 0, 2, 1])
    #expect(try Self.refusal { try call.finish() }.status.code == .internal)
  }

  @Test func invalidCompressionFlagIsRejected() throws {
    var call = try Self.call()
    #expect(try Self.refusal { try call.receive([2, 0, 0, 0, 0]) }.status.code == .internal)
  }

  // printf hello | gzip -n
  static let gzip: [UInt8] = [
    0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 7, 0, 0x86, 0xa6, 0x10, 0x36,
    5, 0, 0, 0,
  ]

  @Test func decompressesMessages() throws {
    var call = try Self.call(["grpc-encoding": "gzip"])
    try call.receive(GRPCClient.framed(Self.gzip, flag: 1)[...])
    #expect(call.messages == [Array("hello".utf8)])
  }

  @Test func invalidCompressedMessagesAreRejected() throws {
    var unnamed = try Self.call()
    #expect(
      try Self.refusal { try unnamed.receive(GRPCClient.framed(Self.gzip, flag: 1)[...]) }.status
        .code
        == .internal)
    var corrupt = try Self.call(["grpc-encoding": "gzip"])
    #expect(
      try Self.refusal { try corrupt.receive(GRPCClient.framed([1, 2], flag: 1)[...]) }.status.code
        == .internal)
    var bomb = try Self.call(limit: 30, ["grpc-encoding": "gzip"])
    let refusal = try Self.refusal {
      try bomb.receive(GRPCClient.framed(Self.bomb, flag: 1)[...])
    }
    #expect(refusal.status.code == .resourceExhausted)
  }

  /// Each message is within the limit. The last one is corrupt, but is not decompressed.
  @Test func decompressionStopsAtTheLimit() throws {
    var call = try Self.call(limit: 1000, ["grpc-encoding": "gzip"])
    let bombs = [Self.bomb, Self.bomb, Self.bomb, [1, 2]].flatMap {
      GRPCClient.framed($0, flag: 1)
    }
    let refusal = try Self.refusal { try call.receive(bombs[...]) }
    #expect(refusal.status.code == .resourceExhausted)
  }

  // head -c 1000 /dev/zero | gzip -n
  static let bomb: [UInt8] = [
    0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0x63, 0x60, 0x18, 5, 0xa3, 0x60, 0x14, 0x0c, 0x77, 0, 0,
    0x80, 0x17, 0x0b, 6, 0xe8, 3, 0, 0,
  ]
}
