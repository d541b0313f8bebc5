import Testing

@testable import WireGRPC

@Suite struct MessageDeframerTests {
  /// Feeds the pieces and returns the messages.
  private func deframe(
    _ pieces: [ArraySlice<UInt8>], limit: Int = 1000
  ) throws -> [MessageDeframer.Message] {
    var deframer = MessageDeframer(limit: limit)
    var messages: [MessageDeframer.Message] = []
    for piece in pieces {
      var rest = piece
      while let message = try deframer.receive(&rest) { messages.append(message) }
      #expect(rest.isEmpty)
    }
    #expect(!deframer.isInsideMessage)
    return messages
  }

  private let stream: [UInt8] = [0, 0, 0, 0, 3, 1, 2, 3, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 9, 8]
  private let messages: [MessageDeframer.Message] = [
    .init(isCompressed: false, bytes: [1, 2, 3]), .init(isCompressed: false, bytes: []),
    .init(isCompressed: true, bytes: [9, 8]),
  ]

  @Test func acceptsAnySplitOfTheBytes() throws {
    #expect(try deframe([stream[...]]) == messages)
    #expect(try deframe(stream.indices.map { stream[$0...$0] }) == messages)
    for first in 0...stream.count {
      for second in first...stream.count {
        let pieces = [stream[..<first], stream[first..<second], stream[second...]]
        #expect(try deframe(pieces) == messages)
      }
    }
  }

  @Test func refusesADeclaredLengthAboveTheLimit() {
    var deframer = MessageDeframer(limit: 4)
    var bytes: ArraySlice<UInt8> = [0, 0xFF, 0xFF, 0xFF, 0xFF]
    #expect(throws: MessageDeframer.Failure.tooLarge(declared: 0xFFFF_FFFF, limit: 4)) {
      try deframer.receive(&bytes)
    }
  }

  @Test func acceptsALengthEqualToTheLimit() throws {
    #expect(try deframe([[0, 0, 0, 0, 3, 1, 2, 3]], limit: 3).count == 1)
  }

  @Test func rejectsAnInvalidFlag() {
    var deframer = MessageDeframer(limit: 4)
    var bytes: ArraySlice<UInt8> = [2]
    #expect(throws: MessageDeframer.Failure.badFlag(2)) { try deframer.receive(&bytes) }
  }

  @Test func detectsAnIncompleteMessage() throws {
    var deframer = MessageDeframer(limit: 4)
    var bytes: ArraySlice<UInt8> = [0]
    #expect(!deframer.isInsideMessage)
    #expect(try deframer.receive(&bytes) == nil)
    #expect(deframer.isInsideMessage)
  }
}
