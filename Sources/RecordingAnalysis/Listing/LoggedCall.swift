import Recording
package import Tripwire
package import WireProtobuf

/// A call of a recording in short: its method, times, status and sizes.
package struct LoggedCall {
  package enum Status: Equatable {
    /// The end of the call is not in the log.
    case unfinished
    case canceled
    case ended(StatusCode)
  }

  /// The messages of one direction and their total length.
  package struct Traffic {
    package var messages = 0
    package var bytes = 0
  }

  /// Counted from 1.
  package let number: Int
  /// Whether the server recorded the call.
  package let isOfServer: Bool
  /// "/package.Service/Method"; nil if the start of the call is not in the log.
  package let method: String?
  /// The resource of the call, at most 1024 characters of its name.
  package private(set) var resourceName: String?
  package let start: Timestamp?
  private var end: Timestamp?
  package private(set) var status = Status.unfinished
  /// Whether the client generated the status.
  package private(set) var isLocal = false
  /// At most 4096 characters.
  package private(set) var statusMessage = ""
  package private(set) var requests = Traffic()
  package private(set) var responses = Traffic()
  /// Whether a part of the call was not recorded.
  package private(set) var isTruncated = false

  /// - Parameter entry: the first entry of the call.
  package init(_ entry: LoggedEntry) {
    number = entry.call.number
    isOfServer = entry.value.logger == .server
    method = entry.call.method
    start = entry.value.timestamp
  }

  /// Whether the end of the call is known.
  package var isOver: Bool { status != .unfinished }

  /// From the first entry to the end; nil if either time is unknown.
  package var latency: Duration? { elapsed(from: start, to: end) }

  package mutating func add(_ entry: LoggedEntry, _ types: MessageTypes) {
    let value = entry.value
    if !entry.isComplete { isTruncated = true }
    switch (value.type, value.payload) {
    case (.clientMessage, .message(let message)):
      if requests.messages == 0 {
        resourceName = types.resource(of: entry).map { String($0.unicodeScalars.prefix(1_024)) }
      }
      requests.add(message)
    case (.serverMessage, .message(let message)):
      responses.add(message)
    case (.serverTrailer, .trailer(let trailer)):
      status = .ended(StatusCode(rawValue: Int(trailer.statusCode)))
      isLocal = entry.isLocalStatus
      statusMessage = String(trailer.statusMessage.unicodeScalars.prefix(4_096))
      end = value.timestamp
    case (.cancel, _):
      if !isOver { status = .canceled }
      end = value.timestamp
    default: break
    }
  }
}

extension LoggedCall.Status: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unfinished: "unfinished"
    case .canceled: "cancelled"
    case .ended(let code): code.description
    }
  }
}

extension LoggedCall.Traffic {
  fileprivate mutating func add(_ message: BinlogMessage) {
    messages += 1
    bytes += max(Int(message.length), message.data.count)
  }
}

/// The time from one entry to another; nil if one is unknown, or if it is negative or more than 34,000
/// years.
package func elapsed(from start: Timestamp?, to end: Timestamp?) -> Duration? {
  guard let start, let end else { return nil }
  let (seconds, overflow) = end.seconds.subtractingReportingOverflow(start.seconds)
  guard !overflow, seconds.magnitude < 1 << 40 else { return nil }
  let time = Duration.seconds(seconds) + .nanoseconds(Int64(end.nanos) - Int64(start.nanos))
  return time < .zero ? nil : time
}
