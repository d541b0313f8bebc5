import Testing

@testable import WireGRPC

@Suite struct MessageFramerTests {
  @Test func framesFlagLengthAndBytes() throws {
    #expect(try MessageFramer.frame([]) == [0, 0, 0, 0, 0])
    #expect(try MessageFramer.frame([7, 8]) == [0, 0, 0, 0, 2, 7, 8])
    #expect(try MessageFramer.frame([7], isCompressed: true) == [1, 0, 0, 0, 1, 7])
    let long = [UInt8](repeating: 1, count: 0x01_02_03)
    #expect(try Array(MessageFramer.frame(long).prefix(6)) == [0, 0, 1, 2, 3, 1])
  }
}
