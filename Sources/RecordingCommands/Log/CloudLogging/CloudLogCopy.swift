import CommandLine
import CommandShell
import Recording
import RecordingAnalysis
import Tripwire

/// Writes the calls of a log to a file in the form of Cloud Logging.
final class CloudLogCopy: LogView {
  private let isSelection: Bool
  private let isOfServer: Bool
  private let console: Console
  private var writer: CloudLogWriter
  private let file: OutputFile
  private var isEmpty = true
  /// How many calls of a client were left out.
  private var clientCallCount = 0
  fileprivate static let opening = "[\n"

  /// - Parameters:
  ///   - isSelection: whether only some calls are passed on.
  ///   - isOfServer: whether to leave out the calls of a client, because the log of the server has the same calls.
  /// - Throws: a report if the file cannot be created.
  init(
    _ types: MessageTypes, to path: String, isSelection: Bool, isOfServer: Bool, _ console: Console
  ) throws(ErrorReport) {
    self.isSelection = isSelection
    self.isOfServer = isOfServer
    self.console = console
    writer = CloudLogWriter(types)
    file = try OutputFile(path, for: "--export-cloud-logging", replacing: .cloudLog)
  }

  func add(_ entry: LoggedEntry) throws(ErrorReport) {
    guard !isOfServer || entry.value.logger == .server else {
      if entry.call.isNew { clientCallCount += 1 }
      return
    }
    let texts = try mapError(writer.add(entry)) { (error: OpenCallsOverflow) in
      ErrorReport(error)
    }
    for text in texts {
      try file.write(Array(((isEmpty ? Self.opening : ",\n") + escapedJSON(text)).utf8))
      isEmpty = false
    }
  }

  var output: String? { file.name }

  func end(calls: Int) throws(ErrorReport) {
    writer.end()
    guard !isEmpty else {
      guard writer.omissions.allSatisfy({ $0.key == .isOfOtherService }) else {
        throw invalidCalls
      }
      throw .noFleetEngineCalls(for: file.name, among: calls, isSelection: isSelection)
    }
    try file.write(Array("\n]\n".utf8))
    try file.finish()
    for omission in omissions { console.warn(omission) }
    let added = Units.count(writer.addedCount, "added update")
    console.error(
      "\(file.place): \(Units.count(writer.callCount, "call"))"
        + (writer.addedCount > 0 ? " and \(added) of vehicles" : "")
        + (clientCallCount > 0
          ? "; \(Units.count(clientCallCount, "call")) of the client left out\n" : "\n"))
  }

  /// "2 calls omitted: canceled, without a status", for each reason.
  private var omissions: [String] {
    CloudLogWriter.Omission.allCases.compactMap { reason in
      writer.omissions[reason].map { "\(Units.count($0, "call")) omitted: \(reason.words)" }
    }
  }

  /// No call of Fleet Engine can be written.
  private var invalidCalls: ErrorReport {
    ErrorReport(
      local: "\(file.name): \(omissions.joined(separator: "; "))",
      hint: isSelection ? "select other calls" : "pass a recording with complete, valid calls")
  }
}

extension CloudLogWriter.Omission {
  fileprivate var words: String {
    switch self {
    case .isInvalid: "a message is incomplete or invalid"
    case .isCanceled: "canceled, without a status"
    case .isUnfinished: "the end is not in the recording"
    case .isOfOtherService: "not a method of Fleet Engine"
    }
  }
}

extension OutputFile.Kind {
  fileprivate static let cloudLog = OutputFile.Kind(name: "an export of tripwire") {
    $0.starts(with: (CloudLogCopy.opening + CloudLogWriter.opening).utf8)
  }
}

extension ErrorReport {
  init(_: OpenCallsOverflow) {
    self.init(
      local: "the unfinished calls need more than \(OpenCallsOverflow.limit >> 20) MiB of memory",
      hint: "select fewer calls with --method, --since or --until")
  }
}
