import CommandShell
import RecordingAnalysis

extension Omissions {
  /// The number of methods that have a line of their own.
  private static let methodLimit = 10

  /// One line for each omission.
  var lines: [String] {
    let methods = Array(calls.keys).sorted()
    var lines = methods.prefix(Self.methodLimit).map { method in
      let count = Units.count(calls[method] ?? 0, "call")
      return method.isEmpty
        ? "\(count) whose first event is not in the recording" : "\(count) of \(shortened(method))"
    }
    let others = methods.dropFirst(Self.methodLimit)
    if !others.isEmpty {
      let count = others.reduce(0) { $0 + (calls[$1] ?? 0) }
      lines.append("\(Units.count(count, "call")) of \(others.count) other methods")
    }
    for content in Array(contents.keys).sorted() {
      guard let omission = contents[content] else { continue }
      lines.append(
        "\(content) (\(Units.count(omission.count, "value")))"
          + (omission.reason.map { ": " + $0 } ?? ""))
    }
    return lines
  }
}
