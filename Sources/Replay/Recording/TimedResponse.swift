import Recording
import WireGRPC
import WireGRPCServer
import WireHTTP2
import WireProtobuf

/// A response as a series of steps, each with its time.
struct TimedResponse: Equatable {
  struct Step: Equatable {
    var action: ResponseAction
    /// The number of client messages before it.
    var requiredMessages = 0
    /// The time since the previous event on either side.
    var delay: Duration = .zero
  }

  /// The number of messages of a step that follows the end of the request.
  static let wholeRequest = Int.max

  /// The last step ends the call, unless the client ended it in the recording: then the call stays
  /// open.
  var steps: [Step]
  /// The messages of the client; set if the server does not wait for the last of them.
  var conversation: [[UInt8]]?
}

extension TimedResponse {
  init(_ refusal: Refusal) {
    self.init(steps: [Step(action: .trailersOnly(HeaderList(refusal.headers)))])
  }

  /// The reason why a recorded call cannot be replayed.
  enum InvalidCall: Error, Hashable {
    case truncatedRequest
    case truncatedAnswer
    case unfinished
    case oversized(String)
  }

  /// Takes the response, and its times, from a recorded call.
  init(_ call: RecordedCall) throws(InvalidCall) {
    guard !call.requestIsTruncated else { throw .truncatedRequest }
    guard !call.responseIsTruncated else { throw .truncatedAnswer }
    guard call.ending != nil || call.isLeftOpen else { throw .unfinished }

    steps = []
    var requestCount = 0
    var responses = call.responses[...]
    var last = call.time
    for event in call.events {
      let delay = event.time.map { $0.elapsed(since: last ?? $0) } ?? .zero
      last = event.time ?? last
      switch event.kind {
      case .request:
        if requestCount < Self.wholeRequest { requestCount += 1 }
      case .halfClose:
        requestCount = Self.wholeRequest
      case .headers:
        try begin(call, requestCount, delay)
      case .response:
        try begin(call, requestCount, .zero)
        guard let response = responses.popFirst() else { continue }
        let frame = try Self.frame(response)
        steps.append(Step(action: .message(frame), requiredMessages: requestCount, delay: delay))
      case .ending:
        guard let ending = call.ending else { continue }
        let fields =
          Status(ending.code, ending.message, ending.details).headerFields
          + ending.trailers.headerFields()
        let action: ResponseAction =
          steps.isEmpty
          ? .trailersOnly(try Self.list(ResponseHeaders.common + fields))
          : .trailers(try Self.list(fields))
        steps.append(Step(action: action, requiredMessages: requestCount, delay: delay))
        return
      case .cancel:
        return
      }
    }
  }

  /// Adds the headers if there are none yet.
  private mutating func begin(
    _ call: RecordedCall, _ requestCount: Int, _ delay: Duration
  ) throws(InvalidCall) {
    guard steps.isEmpty else { return }
    let list = try Self.list(ResponseHeaders.common + (call.headers?.headerFields() ?? []))
    steps.append(Step(action: .headers(list), requiredMessages: requestCount, delay: delay))
  }

  private static func list(_ fields: [HeaderField]) throws(InvalidCall) -> HeaderList {
    let list = HeaderList(fields)
    if let excess = list.excess { throw .oversized(excess) }
    return list
  }

  private static func frame(_ message: [UInt8]) throws(InvalidCall) -> [UInt8] {
    try mapError(MessageFramer.frame(message)) { (error: CallError) in
      InvalidCall.oversized(error.message)
    }
  }
}

extension RecordedCall {
  /// The number of messages that the client had sent when the server sent its first;
  /// ``TimedResponse/wholeRequest`` if it had sent all.
  var requiredMessages: Int {
    var count = 0
    for event in events {
      switch event.kind {
      case .request: count += 1
      case .response: return count
      case .halfClose, .ending, .cancel: return TimedResponse.wholeRequest
      case .headers: break
      }
    }
    return TimedResponse.wholeRequest
  }

  /// Whether the client canceled the call after a response.
  fileprivate var isLeftOpen: Bool {
    !responses.isEmpty && events.contains { $0.kind == .cancel }
  }
}

extension HeaderList {
  /// Returns the reason why the list cannot be sent; nil if it can.
  var excess: String? {
    guard size > ResponseHeaders.sizeLimit else { return nil }
    return "its headers or trailers have \(size) bytes (with 32 for each field); the limit is"
      + " \(ResponseHeaders.sizeLimit)"
  }
}

extension Timestamp {
  /// The time since 1970.
  var age: Duration { .seconds(seconds) + .nanoseconds(Int64(nanos)) }

  /// At least zero, in case the clock was set back, and at most the range of clocks.
  fileprivate func elapsed(since earlier: Timestamp) -> Duration {
    min(max(age - earlier.age, .zero), Timeout.longest)
  }
}

extension TimedResponse.InvalidCall: CustomStringConvertible {
  /// Whether a limit of the recorder has truncated a message.
  var isTruncation: Bool { self == .truncatedRequest || self == .truncatedAnswer }

  var description: String {
    switch self {
    case .truncatedRequest:
      "its request is truncated in the recording (payload_truncated)"
    case .truncatedAnswer:
      "its response is truncated in the recording (payload_truncated)"
    case .unfinished: "its status is not in the recording"
    case .oversized(let reason): reason
    }
  }
}
