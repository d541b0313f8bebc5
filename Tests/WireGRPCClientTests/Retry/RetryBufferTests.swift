import Testing

@testable import WireGRPCClient

@Suite struct RetryBufferTests {
  @Test func keepsSentMessages() {
    var buffer = RetryBuffer()
    buffer.append([1, 2], isLast: false)
    buffer.append([3], isLast: true)
    #expect(buffer.bytes == [1, 2, 3])
    #expect(buffer.isComplete)
    #expect(!buffer.isCommitted)
    buffer.commit(.responseStarted)
    #expect(buffer.bytes.isEmpty)
    #expect(buffer.isComplete && buffer.isCommitted)
  }

  @Test func commitsAboveTheLimit() {
    let most = [UInt8](repeating: 1, count: RetryBuffer.limit)
    var buffer = RetryBuffer()
    buffer.append(most, isLast: false)
    #expect(!buffer.isCommitted)
    buffer.append([1], isLast: false)
    #expect(buffer.isCommitted)
    buffer.append([1], isLast: true)
    #expect(buffer.bytes.isEmpty)
    #expect(buffer.isComplete)
  }

  @Test func keepsTheFirstMessageOfAnySize() {
    var buffer = RetryBuffer()
    buffer.append([UInt8](repeating: 1, count: RetryBuffer.limit + 1), isLast: true)
    #expect(!buffer.isCommitted)
    #expect(RetryBuffer([1], isComplete: true).bytes == [1])
  }
}
