import CommandShell
import RelayAPI
import Tripwire
import WireSystem

/// Runs `tripwire-relay read` and passes its states to a source of resources.
package struct RelayReadProcess: Sendable {
  private static let program = "tripwire-relay"
  package static let versionHint = "install tripwire-relay and tripwire of the same version"
  package static let failureHint = "read the messages of tripwire-relay above"
  /// The largest part of a line of stderr that is kept until its end.
  private static let longestLine = 1 << 16

  let source: RelayedResources
  private let arguments: [String]
  private let console: Console
  private let errorFormat: ErrorFormat

  /// - Throws: ``ErrorReport`` if the program is not installed.
  init(
    _ server: RelayServer, _ names: [ResourceName], _ console: Console, _ errorFormat: ErrorFormat
  ) throws(ErrorReport) {
    let file = try HelperProgram.file(
      Self.program, user: "--from", path: console.environment("PATH"),
      hint: HelperProgram.relayHint)
    arguments = [file] + server.readArguments(names.map(\.description))
    source = RelayedResources(names)
    self.console = console
    self.errorFormat = errorFormat
  }

  /// Passes on states until the task is canceled, or the program ends after the last state of all resources.
  ///
  /// - Throws: ``ErrorReport`` if the program fails, or its output is not that of a relay.
  func run() async throws(ErrorReport) {
    let reader = Locked(ResourceStateReader())
    let failure = Locked<ResourceStateReader.Failure?>(nil)
    let messages = Locked<[UInt8]>([])
    let hasComplained = Locked(false)
    let end: ChildProcess.End
    do throws(ChildProcess.Failure) {
      end = try await ChildProcess.stream(arguments) { [source] bytes in
        let problem = reader.withLock { reader -> ResourceStateReader.Failure? in
          reader.append(bytes)
          do throws(ResourceStateReader.Failure) {
            while let state = try reader.next() { source.take(state) }
            return nil
          } catch {
            return error
          }
        }
        guard let problem else { return true }
        failure.withLock { $0 = problem }
        return false
      } error: { bytes in
        hasComplained.withLock { $0 = true }
        let text = messages.withLock { messages -> String in
          messages += bytes
          let end = messages.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
          let whole = end ?? (messages.count > Self.longestLine ? messages.count : 0)
          defer { messages.removeFirst(whole) }
          return String(decoding: messages[..<whole], as: UTF8.self)
        }
        for line in text.split(separator: "\n") { report(line) }
      }
    } catch {
      if let failure = failure.withLock({ $0 }) { throw invalid(failure) }
      if case .notStarted(let reason) = error { throw ErrorReport(local: "cannot \(reason)") }
      return
    }
    let rest = messages.withLock { $0 }
    if !rest.isEmpty { report(String(decoding: rest, as: UTF8.self)[...]) }
    if source.areOver { return }
    try check(end, reader.withLock { $0 }, hasComplained: hasComplained.withLock { $0 })
  }

  /// Writes a line of the program's stderr.
  private func report(_ line: Substring) {
    let mark = "warning: "
    if line.hasPrefix(mark) {
      console.warn(String(line.dropFirst(mark.count)))
    } else {
      console.error(line + "\n")
    }
  }

  private func check(
    _ end: ChildProcess.End, _ reader: ResourceStateReader, hasComplained: Bool
  ) throws(ErrorReport) {
    var report = ErrorReport(local: Self.program)
    switch end {
    case .exited(0):
      do throws(ResourceStateReader.Failure) {
        try reader.finish()
      } catch {
        throw invalid(error)
      }
      report.message += " ended before the resources did"
    case .exited(let code):
      report.message += " failed: exit code \(code)"
      report.hint = hasComplained ? Self.failureHint : Self.versionHint
      report.exitCode = ExitCode(rawValue: code)
      // The program prints its error as text. Readers of JSON need an object.
      if hasComplained, errorFormat == .text { report.cause = .reported }
    case .killed(let signal): report.message += " was ended by signal \(signal)"
    case .unknown: report.message += " ended"
    }
    throw report
  }

  private func invalid(_ failure: ResourceStateReader.Failure) -> ErrorReport {
    ErrorReport(
      local: "cannot read the states of \(Self.program): \(failure)",
      hint: Self.versionHint)
  }
}
