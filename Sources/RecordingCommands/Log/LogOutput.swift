import CommandLine
import CommandShell

/// Writes the output of `tripwire log` to stdout, many lines at a time.
final class LogOutput {
  private static let chunk = 1 << 16
  /// The indentation of a note on a line of its own.
  private static let indent = "      "

  private let console: Console
  /// The width of the terminal; nil if stdout is not one.
  let columns: Int?
  private var pending = ""

  init(_ console: Console) {
    self.console = console
    columns = console.outputIsTerminal() ? LiveScreen.size().columns : nil
  }

  /// - Parameter line: without a line end. It is cut to the width of the terminal.
  func write(line: String) throws(ErrorReport) {
    try write((columns.map { cut(line, to: $0) } ?? line) + "\n")
  }

  /// Writes `start` and `text`, which is wrapped and indented on a narrow terminal.
  func write(_ start: String, _ text: String) throws(ErrorReport) {
    let indent = String(repeating: " ", count: CommandShell.columns(of: start))
    let width = columns.map { max(20, $0 - indent.utf8.count) }
    let lines = width.map { wrapped(text, width: $0) } ?? [text]
    for (index, line) in lines.enumerated() {
      try write(line: (index == 0 ? start : indent) + line)
    }
  }

  /// Writes a line of cells and a note, which is on a line of its own if it does not fit after `width`
  /// columns.
  func write(_ line: String, note: String, below width: Int) throws(ErrorReport) {
    guard !note.isEmpty else { return try write(line: line) }
    if let columns, width + CommandShell.columns(of: note) > columns {
      try write(line: line)
      return try write(Self.indent, note)
    }
    try write(line: padded(line, to: width) + note)
  }

  /// - Parameter text: whole lines, safe for a terminal.
  func write(_ text: String) throws(ErrorReport) {
    pending += text
    if pending.utf8.count >= Self.chunk { try flush() }
  }

  /// - Parameter json: whole lines.
  func write(json: String) throws(ErrorReport) {
    try write(escapedJSON(json))
  }

  func flush() throws(ErrorReport) {
    guard !pending.isEmpty else { return }
    try console.write(pending)
    pending = ""
  }
}
