import Recording
import Tripwire
import WireProtobuf

/// A call in short: a line of the list.
struct CallRow {
  enum Status: Equatable {
    /// The log ends first, or does not have the end.
    case unfinished
    /// The client gave up.
    case cancelled
    case ended(StatusCode)
  }

  /// One way: how many messages and how long they are together.
  struct Traffic {
    var messages = 0
    var bytes = 0
  }

  let number: Int
  private let isOfServer: Bool
  /// "/package.Service/Method"; nil when the log lacks the beginning of the call.
  let method: String?
  /// What it asks for, or the beginning of an endless name.
  private(set) var name: String?
  let start: Timestamp?
  private var end: Timestamp?
  private(set) var status = Status.unfinished
  /// Whether the status is one that no server said.
  private(set) var isLocal = false
  private var message = ""
  private var requests = Traffic()
  private var responses = Traffic()
  private var isTruncated = false

  init(_ entry: LogFile.Entry) {
    number = entry.call.number
    isOfServer = entry.value.logger == .server
    method = entry.call.method
    start = entry.value.timestamp
  }

  /// What it asks for, safe for a terminal.
  var resource: String? { name.map { shortened($0, to: 128) } }

  /// Whether there is more to come.
  var isOver: Bool { status != .unfinished }

  mutating func add(_ entry: LogFile.Entry, _ types: MessageTypes) {
    let value = entry.value
    if !entry.isWhole { isTruncated = true }
    switch (value.type, value.payload) {
    case (.clientMessage, .message(let message)):
      if requests.messages == 0 {
        name = types.resource(of: entry).map { String($0.unicodeScalars.prefix(1_024)) }
      }
      requests.add(message)
    case (.serverMessage, .message(let message)):
      responses.add(message)
    case (.serverTrailer, .trailer(let trailer)):
      status = .ended(StatusCode(rawValue: Int(trailer.statusCode)))
      isLocal = entry.isLocalStatus
      message = shortened(trailer.statusMessage, to: 1_024)
      end = value.timestamp
    case (.cancel, _):
      if !isOver { status = .cancelled }
      end = value.timestamp
    default: break
    }
  }

  /// - Parameter names: whether there is one of a resource.
  static func header(names: Bool) -> [String] {
    [
      "call", "time", "", "method", names ? "resource" : "", "status", "latency", "req", "resp",
    ]
  }

  /// Which cells may be cut where there is little room.
  static let (methodCell, resourceCell, statusCell) = (3, 4, 5)

  /// - Parameter parent: what is left out of the beginning of names; nil where there were none.
  func cells(_ days: LogDays, without parent: String?) -> [String] {
    var name = resource ?? (parent == nil ? "" : TextTable.unset)
    if let parent, name.hasPrefix(parent), name != parent { name.removeFirst(parent.count) }
    return [
      String(number), days.time(start), isOfServer ? "server" : "",
      method?.split(separator: "/").last.map { shortened(String($0)) } ?? TextTable.unset, name,
      statusText, latency.map(Units.latency) ?? TextTable.unset,
      requests.text, responses.text,
    ]
  }

  /// "NOT_FOUND", "UNAVAILABLE (local)", "unfinished".
  var statusText: String {
    if case .ended(let code) = status { code.words(isLocal: isLocal) } else { status.description }
  }

  /// From the first entry to the end; nil when that is not known.
  var latency: Duration? {
    guard let start, let end else { return nil }
    return elapsed(from: start, to: end)
  }

  /// What does not go into columns.
  var note: String {
    var notes: [String] = []
    if !message.isEmpty { notes.append(message) }
    if method == nil { notes.append("its beginning is not in the log") }
    if isTruncated { notes.append("not recorded whole") }
    return notes.joined(separator: "; ")
  }
}

extension CallRow.Status: CustomStringConvertible {
  var description: String {
    switch self {
    case .unfinished: "unfinished"
    case .cancelled: "cancelled"
    case .ended(let code): code.description
    }
  }
}

extension CallRow.Traffic {
  fileprivate mutating func add(_ message: BinlogMessage) {
    messages += 1
    bytes += max(Int(message.length), message.data.count)
  }

  /// "25 B", "60 B in 4" for several messages.
  fileprivate var text: String {
    switch messages {
    case 0: TextTable.unset
    case 1: "\(bytes) B"
    default: "\(bytes) B in \(messages)"
    }
  }
}

/// From one entry to another; nil where clocks say nonsense.
func elapsed(from start: Timestamp, to end: Timestamp) -> Duration? {
  let (seconds, overflow) = end.seconds.subtractingReportingOverflow(start.seconds)
  guard !overflow, seconds.magnitude < 1 << 40 else { return nil }
  let time = Duration.seconds(seconds) + .nanoseconds(Int64(end.nanos) - Int64(start.nanos))
  return time < .zero ? nil : time
}

/// What a log says, for a line: escaped, and cut, as it may be of any length.
func shortened(_ text: String, to limit: Int = 60) -> String {
  // No column is shown with less than one character.
  cut(escaped(String(text.unicodeScalars.prefix(4 * limit))), to: limit)
}

extension Units {
  /// "1.2 ms", "35.0 ms", "2.35 s", "3 min 5 s".
  static func latency(_ time: Duration) -> String {
    if time < .seconds(1) { return milliseconds(time) }
    let (seconds, attoseconds) = time.components
    return self.seconds(seconds, nanos: Int32(attoseconds / 1_000_000_000))
  }
}
