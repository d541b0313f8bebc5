@testable import WireGRPC
@testable import WireGRPCClient
@testable import WireHTTP2

/// Three calls over one HTTP/2 session whose peer sends the input.
///
/// The first byte of an input selects the mode: the size of the pieces in which the input arrives
/// (lower half), whether valid SETTINGS precede it (0x10), whether our window is 0 (0x20), and
/// whether the calls expect one message (0x40). The rest is sent by the peer. The class drives
/// session and state machines as `Connection` does. It checks that each call ends once and that the
/// output consists of frames.
final class SessionTalk {
  private static let sizes = [1, 2, 3, 5, 8, 9, 10, 17, 64, 255, 1000, 4096, 16_384, 65_536]
  private static let limit = 1 << 16

  /// One call, until it ends.
  private final class Call {
    var machine: CallStateMachine
    var ends = 0
    var messages = 0
    var held = 0

    init(expectsOneMessage: Bool) {
      machine = CallStateMachine(
        expectsOneMessage: expectsOneMessage, maxReceiveMessageSize: SessionTalk.limit,
        deadline: nil)
    }
  }

  private let session: HTTP2ClientSession
  private var calls: [StreamID: Call] = [:]
  private var closed: Set<StreamID> = []
  private var failures = 0
  private var output: [UInt8] = []
  /// The remaining octets of our preface and of the payloads of the frames seen so far.
  private var toSkip = 24
  private let now = ContinuousClock.now

  static func run(_ mode: UInt8, _ input: [UInt8]) {
    let talk = SessionTalk(mode)
    let size = sizes[Int(mode & 15) % sizes.count]
    var rest = input[...]
    while !rest.isEmpty, talk.failures == 0 {
      talk.receive(Array(rest.prefix(size)))
      rest = rest.dropFirst(size)
    }
    talk.end()
  }

  private init(_ mode: UInt8) {
    let now = now
    let configuration = {
      var configuration = HTTP2Configuration()
      configuration.now = { now }
      configuration.tracesFrames = true
      return configuration
    }()
    session = try! HTTP2ClientSession(configuration: configuration)
    flush()
    // SETTINGS with INITIAL_WINDOW_SIZE 0 or without values, and the acknowledgment of ours.
    let settings: [UInt8] =
      mode & 0x20 == 0
      ? [0, 0, 0, 4, 0, 0, 0, 0, 0] : [0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0]
    if mode & 0x10 != 0 { receive(settings + [0, 0, 0, 4, 1, 0, 0, 0, 0]) }
    let fields = HeaderList([
      HeaderField(":method", "POST"), HeaderField(":scheme", "http"), HeaderField(":path", "/s/m"),
      HeaderField(":authority", "a"), HeaderField("te", "trailers"),
      HeaderField("content-type", "application/grpc"),
    ])
    // One call is complete, one waits for the window, one is still open.
    for (size, isWhole) in [(5, true), (100_000, true), (5, false)] {
      let body = [UInt8](repeating: 0, count: size)
      let stream = try! session.submitRequest(fields, body: body, endStream: isWhole)
      calls[stream] = Call(expectsOneMessage: mode & 0x40 != 0)
    }
    flush()
  }

  private func receive(_ bytes: [UInt8]) {
    session.receive(bytes)
    takeEvents()
    flush()
  }

  /// Ends the connection.
  private func end() {
    for call in calls.values where call.ends == 0 {
      let error = CallError(code: .unavailable, message: "lost", origin: .transport)
      take(call.machine.connectionLost(error), of: call, 0)
    }
    for (stream, call) in calls {
      require(call.ends == 1, "the call on stream \(stream) ended \(call.ends) times")
    }
  }

  private func flush() {
    var rounds = 0
    while true {
      let before = output.count
      session.send(into: &output, limit: before + 1)
      takeEvents()
      guard output.count > before else { break }
      rounds += 1
      require(rounds < 10_000, "the session does not stop sending")
    }
    checkFrames()
  }

  /// Checks that the output consists of complete frames of at most 16 KiB.
  private func checkFrames() {
    var offset = 0
    while offset < output.count {
      if toSkip > 0 {
        let skipped = min(toSkip, output.count - offset)
        toSkip -= skipped
        offset += skipped
        continue
      }
      require(offset + 9 <= output.count, "a frame header is truncated")
      toSkip = output[offset..<offset + 3].reduce(0) { $0 << 8 | Int($1) }
      require(toSkip <= 16_384, "a frame of \(toSkip) octets is above the limit")
      require(output[offset + 3] < 10, "unexpected frame type \(output[offset + 3])")
      offset += 9
    }
    require(toSkip == 0, "a frame is truncated")
    output.removeAll(keepingCapacity: true)
  }

  private func takeEvents() {
    while let event = session.nextEvent() {
      require(failures == 0, "an event after the failure: \(event)")
      take(event)
    }
  }

  private func take(_ event: HTTP2Event) {
    switch event {
    case .headers(let stream, let fields, let endStream):
      with(stream) { $0.receiveHeaders(ResponseHead(fields), endStream: endStream, now: now) }
    case .data(let stream, let bytes, let endStream):
      receive(stream, bytes, endStream: endStream)
    case .trailers(let stream, let fields):
      with(stream) { $0.receiveTrailers(ResponseStatus(fields), now: now) }
    case .streamClosed(let stream, let closure):
      with(stream) { $0.streamClosed(closure, now: now) }
      require(calls[stream]?.ends == 1, "stream \(stream) closed, but its call continues")
      require(closed.insert(stream).inserted, "stream \(stream) closed twice")
    case .goAway(_, let code, let debugData):
      _ = "\(code) \(String(decoding: debugData, as: UTF8.self))"
    case .failed(let error):
      failures += 1
      _ = "\(error)"
    case .frameReceived(let frame), .frameSent(let frame):
      _ = frame.description
    case .informational, .settings, .pingAcknowledged, .bodyDrained:
      break
    }
  }

  private func receive(_ stream: StreamID, _ bytes: ArraySlice<UInt8>, endStream: Bool) {
    require(calls[stream] != nil && !closed.contains(stream), "DATA of stream \(stream)")
    session.consume(stream, bytes.count)
    guard let call = calls[stream], call.ends == 0 else { return }
    var messages: [MessageDeframer.Message] = []
    let action = call.machine.receiveData(bytes, endStream: endStream, into: &messages)
    for message in messages {
      require(message.bytes.count <= Self.limit, "a message above the limit")
      call.messages += 1
      guard let bytes = try? message.decompressed(limit: Self.limit) else { continue }
      require(bytes.count <= Self.limit, "a decompressed message above the limit")
    }
    take(action, of: call, stream)
  }

  private func with(
    _ stream: StreamID, _ tell: (inout CallStateMachine) -> CallStateMachine.Action
  ) {
    guard let call = calls[stream] else { fatalError("there is no stream \(stream)") }
    require(!closed.contains(stream), "an event of stream \(stream), which is closed")
    take(tell(&call.machine), of: call, stream)
  }

  private func take(
    _ action: CallStateMachine.Action, of call: Call, _ stream: StreamID
  ) {
    switch action {
    case .wait, .ignore, .limit:
      return
    case .begin(let headers):
      require(call.ends == 0, "headers after the end")
      for entry in headers { _ = "\(entry)" }
    case .fail(let error, let reset):
      call.ends += 1
      require(error.code != .ok, "an error with the code OK")
      _ = "\(error)"
      if let reset { session.reset(stream, errorCode: reset) }
    case .succeed, .retryTransparently:
      call.ends += 1
    }
    require(call.ends <= 1, "a second end")
  }
}
