import Synchronization
import Testing

@testable import CommandShell

@Suite struct WaitLineTests {
  @Test func waitLineIsWrittenOnlyToATerminal() {
    let written = Mutex("")
    let line = WaitLine(isTerminal: { false }, write: { text in written.withLock { $0 += text } })
    line.show("connecting")
    line.hide()
    line.end()
    #expect(written.withLock { $0.isEmpty })
  }
}
