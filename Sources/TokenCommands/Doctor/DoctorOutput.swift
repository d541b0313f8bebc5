import CommandLine
import CommandShell
import Tripwire

/// Writes the steps of `tripwire doctor` to stdout: each when it ends, or as JSON at the end.
struct DoctorOutput {
  private let isJSON: Bool
  private let endpoint: String
  private let sources: [String: ValueSource]
  private let console: Console
  private var steps: [DoctorStep] = []

  /// - Parameter sources: the sources of the command's options.
  init(
    isJSON: Bool, endpoint: String, _ sources: [String: ValueSource],
    _ console: Console
  ) {
    self.isJSON = isJSON
    self.endpoint = endpoint
    self.sources = sources
    self.console = console
  }

  mutating func add(_ step: DoctorStep) throws(ErrorReport) {
    var step = step
    let origin = FaultOrigin(step.options, sources)
    step.lines += origin.lines(besides: step.message)
    if let json = origin.json { step.members.append(("sources", json)) }
    steps.append(step)
    if !isJSON { try console.write(step.text) }
  }

  /// Returns the exit code.
  ///
  /// - Parameter interrupted: the exit code after a signal; nil for that of the first failure.
  func end(_ interrupted: ExitCode? = nil) throws(ErrorReport) -> ExitCode {
    let code = interrupted ?? steps.first { $0.outcome == .failed }?.exitCode ?? .success
    if isJSON {
      let json = JSONWriter.object { json in
        json.member("endpoint", endpoint)
        json.member("steps", steps) { $0.put(json: $1.json.utf8) }
        json.member("exitCode", code.rawValue)
      }
      try console.write(escapedJSON(json) + "\n")
    }
    return code
  }
}
