package import CommandLine
package import Recording
import Tripwire
import WireSystem

package struct RecordOptions: Sendable {
  /// Nil records nothing.
  var file: String?
  var filter: RecordingFilter?
  var maxFileSize: Int?
  var maxFileAge: Duration?
  var keptFiles: Int?

  package init() {}

  /// Calls `body` with a recorder, and completes the recording when `body` ends.
  package func recorded<Success>(
    warn: @escaping @Sendable (String) -> Void,
    _ body: (CallRecorder?) async throws(ErrorReport) -> Success
  ) async throws(ErrorReport) -> Success {
    guard let file else { return try await body(nil) }
    var options = RecordingOptions()
    options.filter = filter ?? .all
    options.maxFileSize = maxFileSize
    options.maxFileAge = maxFileAge
    if let keptFiles { options.keptFiles = keptFiles }
    let recorder: CallRecorder
    let reported = Locked(Set<String>())
    do throws(RecordingError) {
      recorder = try CallRecorder(to: file, options: options) { event in
        if let reason = event.reason { _ = reported.withLock { $0.insert(reason) } }
        warn("\(file): \(event)")
      }
    } catch {
      throw ErrorReport(
        local: escaped("--record: \(error)"),
        hint: error.hint
          ?? (LocalFile.exists(file)
            ? "check the type and the permissions of the file in --record"
            : "check that the directory of --record exists and is writable"))
    }
    for warning in recorder.warnings { warn(warning) }
    let result: Result<Success, ErrorReport>
    do throws(ErrorReport) {
      result = .success(try await body(recorder))
    } catch {
      result = .failure(error)
    }
    // The end of a canceled call is recorded a moment later.
    let report = await recorder.close(grace: .milliseconds(500))
    if report.dropped > 0 {
      let cause =
        report.error
        ?? "the disk was too slow, or calls were still open 500 ms after the command ended"
      let entries = report.dropped == 1 ? "1 entry" : "\(report.dropped) entries"
      warn("\(file): \(entries) not recorded: \(cause)")
    } else if let error = report.error, !reported.withLock({ $0.contains(error) }) {
      warn("\(file): \(error)")
    }
    if report.written == 0, report.dropped == 0, report.unmatchedCalls > 0,
      report.unmatchedCalls == report.excludedCalls
    {
      warn(
        "\(file): no call was recorded: --record-filter matches none of the calls (use full names,"
          + " such as maps.fleetengine.v1.TripService/*)")
    }
    return try result.get()
  }

  package static let all: [Option<RecordOptions>] = [
    .value(
      "record", "FILE", .recording,
      "record the calls in FILE\nAppends a gRPC binary log, for 'tripwire log' and 'tripwire replay'."
        + " Tokens are not recorded. FILE may be a pipe or /dev/fd/N, which cannot be rotated, but not stdout or"
        + " stderr.",
      parse: Parse.text, store: { $0.file = $1 }
    ).writing(.concurrentOutput),
    .value(
      "record-filter", "PATTERNS", .recording,
      "record only calls that match PATTERNS\nPATTERNS is a comma-separated list of * for all"
        + " calls, SERVICE/*, SERVICE/METHOD, and -SERVICE/METHOD to exclude a method. {h:BYTES;m:BYTES} after a"
        + " pattern limits the recorded bytes of headers and messages (gRFC A16).",
      parse: Parse.recordingFilter, store: { $0.filter = $1 }
    ).inFullHelpOnly().requiring("record"),
    .value(
      "record-size", "BYTES", .recording,
      "rotate FILE at this size, such as 64MiB\nRenames FILE to FILE.1, FILE.1 to FILE.2,"
        + " and so on. If FILE is a symbolic link, the file that it leads to is renamed.",
      parse: Parse.byteCount, store: { $0.maxFileSize = $1 }
    ).inFullHelpOnly().requiring("record"),
    .value(
      "record-age", "TIME", .recording, "rotate FILE at this age, such as 24h",
      parse: Parse.duration, store: { $0.maxFileAge = $1 }
    ).inFullHelpOnly().requiring("record"),
    .value(
      "record-files", "N", .recording,
      "keep N rotated files, 0 to 999\nDefault: 5. With 0, the calls in FILE are erased when it would be"
        + " rotated. Existing files with a number above N are neither renamed nor removed.",
      parse: Parse.count(0...RecordingOptions.maxKeptFiles), store: { $0.keptFiles = $1 }
    ).inFullHelpOnly().requiring("record-size", "record-age").requiring("record"),
  ]
}

extension Parse {
  /// Parses a binary logging filter of gRFC A16.
  static func recordingFilter(_ text: String) throws(InvalidValue) -> RecordingFilter {
    try mapError(RecordingFilter(text)) { (error: RecordingFilterError) in
      InvalidValue("\(error)")
    }
  }
}
