import CommandLine
import CommandShell
import RecordingAnalysis
import Tripwire

extension LoggedCall {
  /// The name of the resource in the request, safe for a terminal.
  var shortResourceName: String? { resourceName.map { shortened($0, to: 128) } }

  /// - Parameter names: whether any call has the name of a resource.
  static func header(names: Bool) -> [String] {
    [
      "call", "time", "", "method", names ? "resource" : "", "status", "latency", "req", "resp",
    ]
  }

  /// The indices of the cells that may be cut on a narrow terminal.
  static let (methodCell, resourceCell, statusCell) = (3, 4, 5)

  /// - Parameter parent: the common parent, which is left out of the names; nil without names.
  func cells(_ days: DayHeadings, without parent: String?) -> [String] {
    var name = shortResourceName ?? (parent == nil ? "" : TextTable.unset)
    if let parent, name.hasPrefix(parent), name != parent { name.removeFirst(parent.count) }
    return [
      String(number), days.time(start), isOfServer ? "server" : "",
      method.flatMap(lastSegment).map { shortened($0) } ?? TextTable.unset, name,
      statusText, latency.map(Units.latency) ?? TextTable.unset,
      requests.text, responses.text,
    ]
  }

  /// "NOT_FOUND", "UNAVAILABLE (local)", "unfinished".
  var statusText: String {
    if case .ended(let code) = status { code.words(isLocal: isLocal) } else { status.description }
  }

  /// The text after the columns.
  var note: String {
    var notes: [String] = []
    if !statusMessage.isEmpty { notes.append(shortened(statusMessage, to: 1_024)) }
    if method == nil { notes.append("its start is not in the recording") }
    if isTruncated { notes.append("truncated") }
    return notes.joined(separator: "; ")
  }
}

extension LoggedCall.Traffic {
  /// "25 B", "60 B in 4" for several messages.
  fileprivate var text: String {
    switch messages {
    case 0: TextTable.unset
    case 1: "\(bytes) B"
    default: "\(bytes) B in \(messages)"
    }
  }
}
