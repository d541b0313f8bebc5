import CommandLine
import WireProtobuf
import WireSystem

/// The warnings of a command with `--error-format json`: in the object of the error that ends the command, or as one
/// line each.
final class JSONWarnings: Sendable {
  /// Whether each warning is written at once, as by a command that runs for a long time.
  private let isImmediate: Bool
  private let pending = Locked<[String]>([])

  init(isImmediate: Bool) {
    self.isImmediate = isImmediate
  }

  /// Returns whether the warning has to be written now.
  func add(_ warning: String) -> Bool {
    if !isImmediate { pending.withLock { $0.append(warning) } }
    return isImmediate
  }

  /// Returns the warnings that are not written yet.
  func take() -> [String] {
    pending.withLock { pending in
      defer { pending = [] }
      return pending
    }
  }
}

extension Console {
  /// Writes a warning to stderr, or keeps it for the end of the command.
  package func warn(_ text: String) {
    guard !isQuiet else { return }
    guard let jsonWarnings else {
      return error(errorPalette.painted("warning:", .warning) + " \(escaped(text))\n")
    }
    if jsonWarnings.add(text) { writeJSON(warning: text) }
  }

  /// Writes the warnings of a command that ends without an error.
  func writePendingWarnings() {
    for warning in jsonWarnings?.take() ?? [] { writeJSON(warning: warning) }
  }

  private func writeJSON(warning: String) {
    error(escapedJSON(JSONWriter.object { $0.member("warning", warning) }) + "\n")
  }
}
