import CSpawn

/// Runs a program for its standard output, to its end or as it arrives.
///
/// The program has its own session: it has no terminal, and its children are killed with it. It has
/// no input and inherits no descriptor.
package enum ChildProcess {
  package struct Output: Sendable {
    package var standardOutput: [UInt8] = []
    /// The end of its standard error, up to 4 KiB.
    package var standardError: [UInt8] = []
    package var end = End.unknown
  }

  package enum End: Hashable, Sendable {
    case exited(Int32)
    case killed(signal: Int32)
    /// This process ignores SIGCHLD, so children cannot be waited for.
    case unknown
  }

  package enum Failure: Error, Hashable, Sendable {
    case notStarted(IOError)
    case timedOut
    /// It wrote more than the limit to its standard output.
    case tooLong
    case canceled
  }

  /// Runs a program to its end. Kills it if it takes too long, writes too much, or the task is
  /// canceled.
  ///
  /// - Parameters:
  ///   - arguments: the program, searched in PATH as a shell does, and its arguments.
  ///   - variables: set in its environment, or removed from it, in addition to those of this
  ///     process.
  ///   - limit: the largest output in bytes.
  ///   - outlivesParent: whether ``endAll()`` leaves it running.
  package static func run(
    _ arguments: [String], variables: [String: String?] = [:], limit: Int, timeout: Duration,
    outlivesParent: Bool = false
  ) async throws(Failure) -> Output {
    try await run(
      arguments, variables, limit: limit, deadline: .now + timeout, readers: nil,
      outlivesParent: outlivesParent)
  }

  private static func run(
    _ arguments: [String], _ variables: [String: String?], limit: Int,
    deadline: ContinuousClock.Instant, readers: ProcessRun.Readers?, outlivesParent: Bool = false
  ) async throws(Failure) -> Output {
    let run: ProcessRun
    do throws(IOError) {
      run = try ProcessRun(limit: limit, deadline: deadline, readers: readers)
    } catch {
      throw .notStarted(error)
    }
    let environment = environment(with: variables)
    if !outlivesParent { guard RunningProcesses.add(run) else { throw .canceled } }
    defer { RunningProcesses.remove(run) }
    let outcome: Result<Output, Failure> = await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        do throws(IOError) {
          try Thread(for: "a program's output") {
            waiter.resume(returning: run.toEnd(arguments, environment))
          }.detach()
        } catch {
          waiter.resume(returning: .failure(.notStarted(error)))
        }
      }
    } onCancel: {
      run.cancel()
    }
    return try outcome.get()
  }

  /// Runs a program and passes on its output as it arrives. If the task is canceled, the program gets
  /// SIGTERM, and SIGKILL half a second later.
  ///
  /// - Parameters:
  ///   - arguments: the program, searched in PATH as a shell does, and its arguments.
  ///   - output: takes standard output, on a thread that may wait. If it returns false, the program is
  ///     ended as by a cancellation.
  ///   - error: takes standard error, on the same thread.
  package static func stream(
    _ arguments: [String], output: @escaping @Sendable ([UInt8]) -> Bool,
    error: @escaping @Sendable ([UInt8]) -> Void
  ) async throws(Failure) -> End {
    try await run(
      arguments, [:], limit: 0, deadline: .now + .seconds(1 << 32),
      readers: ProcessRun.Readers(output: output, error: error)
    ).end
  }

  /// Ends all programs as a cancellation does, without waiting for their ends, and starts no others. For a
  /// process that is about to exit.
  package static func endAll() { RunningProcesses.endAll() }

  /// The variables of this process and the given ones, as `NAME=VALUE`.
  private static func environment(with variables: [String: String?]) -> [String] {
    var all: [String] = []
    if var next = unsafe CSpawn_environment() {
      while let entry = unsafe next.pointee {
        let text = unsafe String(cString: entry)
        // A grapheme may join the "=" and a combining character.
        let name = String(text.unicodeScalars.prefix { $0 != "=" })
        if variables[name] == nil { all.append(text) }
        unsafe next += 1
      }
    }
    for (name, value) in variables {
      if let value { all.append("\(name)=\(value)") }
    }
    return all
  }
}
