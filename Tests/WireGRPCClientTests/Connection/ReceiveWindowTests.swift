import Testing

@testable import WireGRPCClient

@Suite struct ReceiveWindowTests {
  @Test func doesNotReturnUnreadBytes() {
    var window = ReceiveWindow()
    window.receive(100)
    #expect(window.credit(held: 100) == 0)
    #expect(window.credit(held: 40) == 60)
    #expect(window.credit(held: 40) == 0)
    #expect(window.credit(held: 0) == 40)
  }

  @Test func returnsPartsOfAnIncompleteMessage() {
    var window = ReceiveWindow()
    window.receive(1000)
    #expect(window.credit(held: 0) == 1000)
    window.receive(1000)
    #expect(window.credit(held: 0) == 1000)
  }

  @Test func returnsOneMessageBeforeItIsRead() {
    var window = ReceiveWindow()
    // The first message arrives in two parts; the second message waits behind it.
    window.receive(600)
    #expect(window.credit(held: 0) == 600)
    window.receive(400)
    #expect(window.credit(held: 1000) == 0)
    window.receive(600)
    #expect(window.credit(held: 1000) == 0)
    #expect(window.credit(held: 0) == 1000)
  }

  /// The peer always uses its window of 1000 completely, and the reader reads from time to time.
  /// Waiting data never exceeds the window plus one message, and the peer is never blocked while no
  /// data waits.
  @Test(arguments: [1, 250, 999, 1000, 1001, 5000])
  func boundsWaitingBytes(_ size: Int) {
    var window = ReceiveWindow()
    var (allowed, part, held) = (1000, 0, 0)
    for turn in 0..<3000 {
      let count = min(allowed, 1 + turn * 7 % 300)
      allowed -= count
      part += count
      held += part / size * size
      part %= size
      window.receive(count)
      allowed += window.credit(held: held)
      #expect(held + part <= 1000 + size)
      #expect(held > 0 || allowed > 0)
      if turn % 5 == 0 {
        held -= min(held, size)
        allowed += window.credit(held: held)
      }
    }
  }
}
