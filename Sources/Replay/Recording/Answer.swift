import Recording
import WireGRPC
import WireHTTP2
import WireProtobuf

/// What goes back on a stream, step by step.
struct Answer: Equatable {
  /// One thing that the server says.
  struct Step: Equatable {
    enum Content: Equatable {
      case headers(HeaderList)
      /// A message in its frame.
      case message([UInt8])
      case trailers(HeaderList)
      /// The only header list there is (Trailers-Only).
      case alone(HeaderList)
      /// Bytes of the body, so many in each DATA frame and the rest in one more.
      case data([UInt8], frames: [Int], endStream: Bool)
      /// What waits until all said before it is sent.
      case signal(Signal)
    }

    /// What is no part of an answer, and would overtake it.
    enum Signal: Equatable {
      case reset(HTTP2ErrorCode)
      /// - Parameter last: the last stream that is answered; that which came last if nil.
      case goAway(last: StreamID?, HTTP2ErrorCode, debug: [UInt8])
      case ping
      /// Whatever HTTP/2 has to say to it.
      case frame(RawFrame)
      /// The end of the connection.
      case close
    }

    var content: Content
    /// How many messages of the client come before it.
    var cue = 0
    /// How long it comes after what happened before it, be it the client's or the server's.
    var delay: Duration = .zero
  }

  /// The cue of what is said once the request has ended.
  static let wholeRequest = Int.max

  /// What each answer's first header list begins with.
  static let beginning = [
    HeaderField(":status", "200"), HeaderField("content-type", "application/grpc"),
  ]

  /// The largest header list that is sent, as RFC 9113 §6.5.2 counts it.
  static let headerListLimit = 1 << 20

  /// The last one ends the call, unless the client did when it was recorded: then it stays open.
  var steps: [Step]
  /// The messages that the client sent, where the server does not wait for the last of them.
  var conversation: [[UInt8]]?

  init(_ refusal: Refusal) {
    steps = [Step(content: .alone(HeaderList(refusal.headers)))]
  }

  init(steps: [Step]) {
    self.steps = steps
  }
}

extension Answer {
  /// Why a recorded call can not be replayed.
  enum Flaw: Error, Hashable {
    case truncatedRequest
    case truncatedAnswer
    case unfinished
    case oversized(String)
  }

  /// What the server said in a recorded call, and when.
  init(_ call: RecordedCall) throws(Flaw) {
    guard !call.requestIsTruncated else { throw .truncatedRequest }
    guard !call.answerIsTruncated else { throw .truncatedAnswer }
    guard call.ending != nil || call.isLeftOpen else { throw .unfinished }

    steps = []
    var heard = 0
    var responses = call.responses[...]
    var last = call.time
    for event in call.course {
      let delay = event.time.map { $0.elapsed(since: last ?? $0) } ?? .zero
      last = event.time ?? last
      switch event.kind {
      case .request:
        if heard < Self.wholeRequest { heard += 1 }
      case .halfClose:
        heard = Self.wholeRequest
      case .headers:
        try begin(call, heard, delay)
      case .response:
        try begin(call, heard, .zero)
        guard let response = responses.popFirst() else { continue }
        let frame = try Self.frame(response.bytes)
        steps.append(Step(content: .message(frame), cue: heard, delay: delay))
      case .ending:
        guard let ending = call.ending else { continue }
        let fields =
          Status(ending.code, ending.message, ending.details).headerFields
          + ending.trailers.headerFields()
        let content: Step.Content =
          steps.isEmpty
          ? .alone(try Self.list(Self.beginning + fields)) : .trailers(try Self.list(fields))
        steps.append(Step(content: content, cue: heard, delay: delay))
        return
      case .cancel:
        return
      }
    }
  }

  /// The headers, if they were not said before.
  private mutating func begin(
    _ call: RecordedCall, _ heard: Int, _ delay: Duration
  ) throws(Flaw) {
    guard steps.isEmpty else { return }
    let list = try Self.list(Self.beginning + (call.headers?.headerFields() ?? []))
    steps.append(Step(content: .headers(list), cue: heard, delay: delay))
  }

  private static func list(_ fields: [HeaderField]) throws(Flaw) -> HeaderList {
    let list = HeaderList(fields)
    if let excess = list.excess { throw .oversized(excess) }
    return list
  }

  private static func frame(_ message: [UInt8]) throws(Flaw) -> [UInt8] {
    do throws(CallError) {
      return try MessageFramer.frame(message)
    } catch {
      throw .oversized(error.message)
    }
  }
}

extension RecordedCall {
  /// How many messages the client had sent when the server first answered one;
  /// ``Answer/wholeRequest`` when it had sent all.
  var cue: Int {
    var heard = 0
    for event in course {
      switch event.kind {
      case .request: heard += 1
      case .response: return heard
      case .halfClose, .ending, .cancel: return Answer.wholeRequest
      case .headers: break
      }
    }
    return Answer.wholeRequest
  }

  /// Whether the client ended it, which had been told something by then.
  fileprivate var isLeftOpen: Bool {
    !responses.isEmpty && course.contains { $0.kind == .cancel }
  }
}

extension HeaderList {
  /// Why it can not be sent; nil if it can.
  var excess: String? {
    guard size > Answer.headerListLimit else { return nil }
    return "its headers or trailers have \(size) bytes (with 32 for each field); the limit is"
      + " \(Answer.headerListLimit)"
  }
}

extension Timestamp {
  /// Since 1970.
  var age: Duration { .seconds(seconds) + .nanoseconds(Int64(nanos)) }

  /// Not less than nothing, should the clock have been set back, and no more than clocks can count.
  fileprivate func elapsed(since earlier: Timestamp) -> Duration {
    min(max(age - earlier.age, .zero), Timeout.longest)
  }
}

extension Answer.Flaw: CustomStringConvertible {
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
