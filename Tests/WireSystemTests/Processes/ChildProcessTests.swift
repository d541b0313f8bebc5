import Testing
import WireSystem

@testable import WireSystem

@Suite(.timeLimit(.minutes(20))) struct ChildProcessTests {
  private func run(
    _ line: String, variables: [String: String?] = [:], limit: Int = 1 << 20,
    timeout: Duration = .seconds(3600)
  ) async throws(ChildProcess.Failure) -> ChildProcess.Output {
    try await ChildProcess.run(
      ["sh", "-c", line], variables: variables, limit: limit, timeout: timeout)
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private static func output(
    of line: String, _ variables: [String: String?] = [:]
  ) async throws -> String {
    let tests = ChildProcessTests()
    return try await tests.text(tests.run(line, variables: variables).standardOutput)
  }

  @Test func returnsTheOutputAndTheExitStatus() async throws {
    let output = try await run("echo out; echo err >&2; exit 3")
    #expect(text(output.standardOutput) == "out\n")
    #expect(text(output.standardError) == "err\n")
    #expect(output.end == .exited(3))
  }

  @Test func readsMoreThanAPipeHolds() async throws {
    let output = try await run("head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2")
    #expect(output.standardOutput.count == 300_000)
    #expect(output.standardError.count == 4096)
    #expect(output.end == .exited(0))
  }

  @Test func passesOnOutputAsItArrives() async throws {
    let output = Locked<[UInt8]>([])
    let error = Locked<[UInt8]>([])
    let end = try await ChildProcess.stream(
      ["sh", "-c", "head -c 300000 /dev/zero; echo err >&2; exit 3"]
    ) { bytes in
      output.withLock { $0 += bytes }
      return true
    } error: { bytes in
      error.withLock { $0 += bytes }
    }
    #expect(end == .exited(3))
    #expect(output.withLock { $0.count } == 300_000)
    #expect(text(error.withLock { $0 }) == "err\n")
  }

  @Test func endsAProgramWhoseOutputIsRefused() async {
    let text = Locked<[UInt8]>([])
    let line = "trap 'echo bye >&2; exit 1' TERM; echo x; while :; do sleep 0.01; done"
    let error = await #expect(throws: ChildProcess.Failure.self) {
      try await ChildProcess.stream(["sh", "-c", line]) { _ in
        false
      } error: { bytes in
        text.withLock { $0 += bytes }
      }
    }
    #expect(error == .canceled)
    // The shell may report the end of sleep, which is in its process group.
    #expect(self.text(text.withLock { $0 }).hasSuffix("bye\n"))
  }

  @Test func killsAProgramThatIgnoresItsEnd() async {
    let error = await #expect(throws: ChildProcess.Failure.self) {
      try await ChildProcess.stream(
        ["sh", "-c", "trap '' TERM; echo x; while :; do sleep 0.01; done"]
      ) { _ in
        false
      } error: { _ in
      }
    }
    #expect(error == .canceled)
  }

  @Test func reportsTheTerminatingSignal() async throws {
    #expect(try await run("kill -TERM $$").end == .killed(signal: SIGTERM))
  }

  /// In a separate process, because other tests read the environment at the same time.
  @Test func setsAndRemovesVariables() async {
    await #expect(processExitsWith: .success) {
      setenv("CHILD_PROCESS_TEST", "ours", 1)
      let line = "echo \"$CHILD_PROCESS_TEST,$CHILD_PROCESS_OTHER\""
      let inherited = try await ChildProcessTests.output(of: line)
      #expect(inherited == "ours,\n")
      let changed = try await ChildProcessTests.output(
        of: line, ["CHILD_PROCESS_TEST": nil, "CHILD_PROCESS_OTHER": "a=b"])
      #expect(changed == ",a=b\n")
    }
  }

  @Test func hasNoInputAndNoTerminal() async throws {
    let output = try await run("wc -c; (: < /dev/tty) 2>/dev/null || echo none")
    #expect(text(output.standardOutput) == "0\nnone\n")
  }

  /// Neither an ignored SIGPIPE nor our files. In a separate process, because other tests must
  /// receive SIGPIPE if they cause it.
  @Test func signalsAndFilesAreNotInherited() async {
    await #expect(processExitsWith: .success) {
      #expect(open("/dev/null", O_RDONLY) > 2)
      signal(SIGPIPE, SIG_IGN)
      let output = try await ChildProcessTests.output(
        of: "ls /proc/self/fd; grep SigIgn /proc/self/status")
      let lines = output.split(separator: "\n").map(String.init)
      // The last one is the directory itself.
      #expect(lines.prefix(4) == ["0", "1", "2", "3"])
      let ignored = try #require(lines.last?.split(separator: "\t").last)
      #expect((UInt64(ignored, radix: 16) ?? .max) & 1 << UInt64(SIGPIPE - 1) == 0)
    }
  }

  @Test func startFailureIsReported() async {
    let error = await #expect(throws: ChildProcess.Failure.self) {
      try await ChildProcess.run(["/nonexistent/program"], limit: 1, timeout: .seconds(1))
    }
    guard case .notStarted(let reason)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.description == "run /nonexistent/program: No such file or directory")
  }

  @Test func killsAProgramThatWritesTooMuch() async {
    await #expect(throws: ChildProcess.Failure.tooLong) {
      try await run("cat /dev/zero", limit: 100_000)
    }
  }

  /// Its children are killed with it. Otherwise the pipeline would hold the pipe open.
  @Test func killsASlowProgramAndItsChildren() async {
    await #expect(throws: ChildProcess.Failure.timedOut) {
      try await run("sleep 1000 | sleep 1000", timeout: .milliseconds(50))
    }
  }

  @Test func endsWithTheProgramDespiteItsChildren() async throws {
    let output = try await run("sleep 1000 & echo $!")
    let left = try #require(Int32(text(output.standardOutput).dropLast()))
    #expect(kill(left, SIGKILL) == 0, "it was waited for")
  }

  @Test func canceledProgramLeavesNoZombie() async throws {
    let name = "/tmp/tripwire-child-\(getpid())"
    defer { unlink(name) }
    let running = Task {
      try await run("echo $$ > \(name).new; mv \(name).new \(name); sleep 1000; echo never")
    }
    // Waits until the program runs. Nothing may block here, because threads are few.
    while !LocalFile.exists(name) { try await Task.sleep(for: .milliseconds(1)) }
    let process = try #require(
      Int32(text(try LocalFile.contents(of: name, limit: 1 << 10)).dropLast()))
    running.cancel()
    let outcome = await running.result
    #expect(throws: ChildProcess.Failure.canceled) { try outcome.get() }
    #expect(kill(process, 0) == -1 && errno == ESRCH)
  }

  @Test func programOfACanceledTaskIsKilled() async {
    let running = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      _ = try await run("sleep 100")
    }
    await #expect(throws: ChildProcess.Failure.canceled) { try await running.value }
  }
}
