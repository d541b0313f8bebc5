import CommandLine
import CommandShell
import Recording
import RecordingAnalysis
import Tripwire
import WireSystem

/// A view of the entries of a log.
protocol LogView: AnyObject {
  /// The option and the path of the file that it writes, safe for a terminal; nil if it writes to stdout.
  var output: String? { get }
  func add(_ entry: LoggedEntry) throws(ErrorReport)
  /// Called when there are no more entries for now.
  func pause() throws(ErrorReport)
  func end(calls: Int) throws(ErrorReport)
}

extension LogView {
  var output: String? { nil }
  func pause() {}
}

/// One or more binary logs that are read as one, entry by entry. Problems are reported on stderr.
struct LogFile {
  /// Files, or `-` for stdin.
  let paths: [String]
  /// Whether to continue when more is written.
  var isFollowed = false
  /// The entries of another log that are shown in between, in the order of their times.
  var others: AnySequence<BinlogGrpcLogEntry>?
  /// The clock of the client, which corrects the times in the files.
  var clock = ClientClock()
  /// Whether warnings are omitted.
  var isSilent = false
  let console: Console

  /// The number of warnings that are written one by one.
  private static let warningLimit = 10

  /// Passes every entry that can be read to `view`.
  func show(to view: any LogView) throws(ErrorReport) {
    let files = try mapError(BinaryLogSet(paths: paths)) { (error: BinaryLogError) in
      ErrorReport(
        local: "FILE: " + escaped(error.description), hint: Self.pathHint(error))
    }
    for warning in files.warnings { warn(warning) }
    let sources = files.sources.map { source in
      var source = source
      source.isFollowed = isFollowed
      if isFollowed { source.output = 1 }
      return source
    }
    let logs = BinaryLogSequence(sources, skipsDamage: true)
    var calls = CallNumbers()
    var echoes = EchoedCredentials()
    var number = 0
    var warnings = 0
    var failures: [BinaryLogError] = []
    let others = others?.makeIterator()
    var other = others?.next()
    while var entry = try next(of: logs, &failures) {
      warn(logs, &warnings)
      entry.timestamp = entry.timestamp?.shifted(by: clock.correction(ofEntry: number))
      if entry.logger != .server { number += 1 }
      while let time = entry.timestamp, let earlier = other, earlier.timestamp ?? time <= time {
        try view.add(LoggedEntry(earlier, of: calls.call(of: earlier)))
        other = others?.next()
      }
      try view.add(echoes.masked(LoggedEntry(entry, of: calls.call(of: entry))))
      if isFollowed, logs.isWaiting { try view.pause() }
    }
    while let later = other {
      try view.add(LoggedEntry(later, of: calls.call(of: later)))
      other = others?.next()
    }
    warn(logs, &warnings)
    if warnings > Self.warningLimit {
      warn("\(warnings - Self.warningLimit) more warnings of this kind")
    }
    if failures.isEmpty || calls.count > 0 {
      try view.end(calls: calls.count)
      if calls.count == 0 {
        warn("\(LocalFile.name(of: paths[0])): the recording contains no calls")
      }
    }
    for failure in failures.dropLast() { warn(failure.description) }
    if let failure = failures.last {
      throw ErrorReport(
        local: escaped(failure.description),
        hint: failure.isJSON
          ? "read Google's logs with --import-cloud-logging FILE, or use 'tripwire replay' for a"
            + " script"
          : failure.hint.map(escaped)
            ?? (failure.isOtherFile
              ? "pass a file made with --record, or another gRPC binary log"
              : failure.entry == nil ? Self.pathHint(failure) : nil))
    }
  }

  private static func pathHint(_ error: BinaryLogError) -> String {
    ErrorReport.accessHint(for: [error.path]) ?? "check the path of FILE"
  }

  /// - Throws: a report if there is no call with this number.
  static func check(_ call: Int, among count: Int) throws(ErrorReport) {
    guard call > count else { return }
    guard count > 0 else { throw .noCalls(for: "--call \(call)") }
    throw ErrorReport(
      local: "--call \(call): the recording has only \(Units.count(count, "call"))",
      hint: "pass a number from 1 to \(count) with --call")
  }

  /// Returns the next entry that can be read.
  private func next(
    of logs: BinaryLogSequence, _ failures: inout [BinaryLogError]
  ) throws(ErrorReport) -> BinlogGrpcLogEntry? {
    while true {
      do throws(BinaryLogError) {
        return try logs.next()?.value
      } catch {
        if error.isOfOutput { throw ErrorReport(OutputError(errno: EPIPE)) }
        failures.append(error)
      }
    }
  }

  private func warn(_ text: String) {
    if !isSilent { console.warn(text) }
  }

  private func warn(_ logs: BinaryLogSequence, _ count: inout Int) {
    for text in logs.warnings {
      count += 1
      if count <= Self.warningLimit { warn(text) }
    }
    logs.warnings = []
  }
}

extension ErrorReport {
  /// A recording without calls.
  ///
  /// - Parameter option: the option that needs calls, and its value.
  static func noCalls(for option: String) -> ErrorReport {
    ErrorReport(
      local: "\(option): the recording contains no calls",
      hint: "pass a recording with calls, such as one made with --record")
  }

  /// A resource that is not found, but may be in a truncated message.
  ///
  /// - Parameter option: the option that names the resource, and its value.
  static func truncatedMessages(_ option: String) -> ErrorReport {
    ErrorReport(
      local: "\(option): not found, because messages in the recording are truncated",
      hint: recordWholeMessages)
  }

  static let recordWholeMessages = "record without m:BYTES in --record-filter"

  /// A recording or a selection without calls that can be copied.
  ///
  /// - Parameters:
  ///   - option: the option that copies them, and the path of the copy.
  ///   - count: the number of other calls.
  static func noFleetEngineCalls(
    for option: String, among count: Int, isSelection: Bool
  ) -> ErrorReport {
    guard count > 0 else { return noCalls(for: option) }
    let calls = Units.count(count, "call")
    return isSelection
      ? ErrorReport(
        local: "\(option): the selection has no calls of Fleet Engine (\(calls) selected)",
        hint: "select other calls")
      : ErrorReport(
        local: "\(option): the recording has no calls of Fleet Engine (\(calls) read)",
        hint: "pass a recording with calls of Fleet Engine")
  }
}

extension StatusCode {
  /// Returns "NOT_FOUND" or "UNAVAILABLE (local)".
  func words(isLocal: Bool) -> String { description + (isLocal ? " (local)" : "") }
}

extension Timestamp {
  /// The time plus a number of seconds; the same if there is no such time.
  fileprivate func shifted(by seconds: Double) -> Timestamp {
    seconds == 0 ? self : Timestamp(secondsSince1970: secondsSince1970 + seconds) ?? self
  }
}
