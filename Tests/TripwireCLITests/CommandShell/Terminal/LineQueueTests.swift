import Dispatch
import Testing

@testable import CommandShell

@Suite(.timeLimit(.minutes(20))) struct LineQueueTests {
  @Test func linesAreWrittenInOrder() async throws {
    let test = TestConsole()
    let lines = try LineQueue(test.console)
    for number in 1...1_000 { lines.write("\(number)\n") }
    await lines.close()
    #expect(test.error == (1...1_000).map { "\($0)\n" }.joined())
  }

  /// Callers do not wait for stderr; at most a megabyte of lines is queued.
  @Test func linesAboveTheLimitAreDropped() async throws {
    let test = TestConsole()
    let (reached, arrival) = AsyncStream.makeStream(of: Void.self)
    let gate = DispatchSemaphore(value: 0)
    let plain = test.console
    let console = Console(
      output: plain.output, outputIsTerminal: plain.outputIsTerminal,
      error: { text in
        arrival.yield()
        gate.wait()
        plain.error(text)
      }, errorIsTerminal: plain.errorIsTerminal, environment: plain.environment, clock: plain.clock)
    let lines = try LineQueue(console)
    lines.write("first\n")
    for await _ in reached { break }
    let line = String(repeating: "x", count: 1_023) + "\n"
    for _ in 0..<1_030 { lines.write(line) }
    for _ in 0..<2 { gate.signal() }
    await lines.close()
    #expect(test.error.hasPrefix("first\nxx"))
    #expect(test.error.hasSuffix("x\nwarning: 6 lines dropped: stderr is too slow\n"))
    #expect(test.error.utf8.count == 6 + 1_024 * 1_024 + 45)
  }
}
