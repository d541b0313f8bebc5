import CSpawn

/// One run of a program, from its start until it is reaped. One thread reads its output and another
/// waits for its end. A pipe passes the end, or a cancellation, to the first thread.
final class ProcessRun: Sendable {
  /// Receivers of the output as it arrives.
  struct Readers: Sendable {
    /// Returns false to end the program.
    let output: @Sendable ([UInt8]) -> Bool
    let error: @Sendable ([UInt8]) -> Void
  }

  /// How long a program whose output is passed on may take to end after SIGTERM.
  private static let grace = Duration.milliseconds(500)

  private let limit: Int
  private let readers: Readers?
  private let deadline: ContinuousClock.Instant
  private let eventPipe: Pipe
  private let state = Locked(State.toStart)

  private enum State {
    case toStart
    /// Started and not reaped, so no other process has its number.
    case running(pid_t)
    case canceled
    case over
  }

  private static let cancellation = UInt8(ascii: "c")
  private static let exit = UInt8(ascii: "x")
  private static let longestError = 4096

  /// - Parameter readers: nil to collect the output, up to the limit.
  init(limit: Int, deadline: ContinuousClock.Instant, readers: Readers? = nil) throws(IOError) {
    self.limit = limit
    self.readers = readers
    self.deadline = deadline
    eventPipe = try Pipe()
  }

  /// Ends the program at once, because this process may be about to end.
  func cancel() {
    state.withLock { state in
      switch state {
      case .toStart: break
      case .running(let process):
        _ = systemKill(-process, readers == nil ? SIGKILL : SIGTERM)
      case .canceled, .over: return
      }
      state = .canceled
    }
    eventPipe.write(Self.cancellation)
  }

  /// Runs the program on the calling thread.
  func toEnd(
    _ arguments: [String], _ environment: [String]
  ) -> Result<ChildProcess.Output, ChildProcess.Failure> {
    do throws(IOError) {
      let output = try Pipe()
      let error = try Pipe()
      // Under the lock, because a cancellation in between would find nothing to kill.
      let started = state.withLock { state -> Result<pid_t?, IOError> in
        guard case .toStart = state else { return .success(nil) }
        do throws(IOError) {
          let process = try Self.start(arguments, environment, output, error)
          state = .running(process)
          return .success(process)
        } catch {
          return .failure(error)
        }
      }
      guard let process = try started.get() else { return .failure(.canceled) }
      return follow(process, output, error)
    } catch {
      return .failure(.notStarted(error))
    }
  }

  private static func start(
    _ arguments: [String], _ environment: [String], _ output: Pipe, _ error: Pipe
  ) throws(IOError) -> pid_t {
    output.makeWritingWait()
    error.makeWritingWait()
    let operation = "run \(arguments.first ?? "nothing")"
    var words = unsafe arguments.map { unsafe strdup($0) } + [nil]
    var variables = unsafe environment.map { unsafe strdup($0) } + [nil]
    defer {
      for index in unsafe words.indices { unsafe free(words[index]) }
      for index in unsafe variables.indices { unsafe free(variables[index]) }
    }
    var process: pid_t = 0
    let reason = unsafe CSpawn_start(
      &process, &words, &variables, output.writeEnd, error.writeEnd)
    guard reason == 0 else { throw IOError(code: .init(rawValue: reason), operation: operation) }
    output.closeWriteEnd()
    error.closeWriteEnd()
    return process
  }

  private func follow(
    _ process: pid_t, _ output: Pipe, _ error: Pipe
  ) -> Result<ChildProcess.Output, ChildProcess.Failure> {
    var result = ChildProcess.Output()
    var failure: ChildProcess.Failure?
    var hasExited = false
    var deadline = deadline
    var isKilled = false
    /// - Parameter isSignaled: whether `cancel` has already sent the signal that asks it to end. A second
    ///   SIGTERM makes some programs end without cleaning up.
    func kill(_ reason: ChildProcess.Failure, isSignaled: Bool = false) {
      let isGraceful = readers != nil && failure == nil && reason == .canceled
      failure = failure ?? reason
      // It leads its process group.
      if !isGraceful || !isSignaled {
        _ = systemKill(-process, isGraceful ? SIGTERM : SIGKILL)
      }
      if isGraceful { deadline = .now + Self.grace } else { isKilled = true }
    }
    do {
      try Thread(for: "a program's end") { [eventPipe] in
        Self.waitForEnd(of: process)
        eventPipe.write(Self.exit)
      }.detach()
    } catch {
      kill(.notStarted(error))
      hasExited = true
    }
    while !hasExited {
      wait(for: [output, error, eventPipe], until: isKilled ? nil : deadline)
      if !isKilled, deadline <= .now { kill(.timedOut) }
      let received = eventPipe.read() ?? []
      if received.contains(Self.cancellation) { kill(.canceled, isSignaled: true) }
      hasExited = received.contains(Self.exit)
      // Its own output has arrived by now. Programs that it left running may continue to write.
      repeat {
        let more = output.read() ?? []
        if let readers {
          if failure == nil, !more.isEmpty, !readers.output(more) { kill(.canceled) }
        } else {
          result.standardOutput += more
          if result.standardOutput.count > limit { kill(.tooLong) }
        }
        if more.isEmpty || failure != nil { break }
      } while hasExited
      if let more = error.read() {
        readers?.error(more)
        result.standardError = (result.standardError + more).suffix(Self.longestError)
      }
    }
    let isCanceled = state.withLock { state in
      defer { state = .over }
      if case .canceled = state { return true }
      return false
    }
    // The end may be noticed before the cancellation that caused it.
    if isCanceled { failure = failure ?? .canceled }
    result.end = Self.reap(process)
    return failure.map { .failure($0) } ?? .success(result)
  }

  /// Waits until there is output, or the time is over; nil if it has no end.
  private func wait(for pipes: [Pipe], until deadline: ContinuousClock.Instant?) {
    var descriptors = pipes.map { pollfd(fd: $0.readEnd, events: Int16(POLLIN), revents: 0) }
    let rest = max(.zero, (deadline ?? .now) - .now) / .milliseconds(1)
    let milliseconds = deadline == nil ? -1 : Int32(clamping: Int64(min(rest.rounded(.up), 1e9)))
    _ = unsafe poll(&descriptors, nfds_t(descriptors.count), milliseconds)
  }

  /// Waits for the end without reaping it: until then no other process has its number.
  private static func waitForEnd(of process: pid_t) {
    _ = SystemCalls.retrying { () -> Int32 in
      var found = unsafe siginfo_t()
      return unsafe waitid(P_PID, id_t(process), &found, WEXITED | WNOWAIT)
    }
  }

  private static func reap(_ process: pid_t) -> ChildProcess.End {
    var status: Int32 = 0
    guard SystemCalls.retrying({ unsafe waitpid(process, &status, 0) }) == process else {
      return .unknown
    }
    let signal = status & 0x7f
    return signal == 0 ? .exited(status >> 8 & 0xff) : .killed(signal: signal)
  }
}

/// A non-blocking pipe that child processes do not inherit by default.
private final class Pipe: Sendable {
  private let ends: Locked<(read: Int32, write: Int32)>

  init() throws(IOError) {
    guard let made = SystemCalls.pipe() else { throw IOError(operation: "make a pipe") }
    ends = Locked(made)
  }

  deinit {
    closeWriteEnd()
    closeReadEnd()
  }

  /// -1 after the end of the input.
  var readEnd: Int32 { ends.withLock { $0.read } }
  var writeEnd: Int32 { ends.withLock { $0.write } }

  func makeWritingWait() {
    _ = fcntl(writeEnd, F_SETFL, 0)
  }

  func closeWriteEnd() {
    ends.withLock { ends in
      if ends.write != -1 { closeDescriptor(ends.write) }
      ends.write = -1
    }
  }

  private func closeReadEnd() {
    ends.withLock { ends in
      if ends.read != -1 { closeDescriptor(ends.read) }
      ends.read = -1
    }
  }

  func write(_ byte: UInt8) {
    _ = SystemCalls.write([byte][...], to: writeEnd)
  }

  /// Reads the available bytes; nil if there are none.
  func read() -> [UInt8]? {
    let descriptor = readEnd
    guard descriptor != -1 else { return nil }
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
      count = unsafe SystemCalls.read(descriptor, buffer)
      if count == 0 { closeReadEnd() }
      count = max(0, count)
    }
    return bytes.isEmpty ? nil : bytes
  }
}

private func systemKill(_ process: pid_t, _ signal: Int32) -> Int32 { kill(process, signal) }
