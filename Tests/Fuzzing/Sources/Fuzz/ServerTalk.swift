import ProtobufDescriptors

@testable import Recording
@testable import Replay
@testable import WireGRPCServer
@testable import WireHTTP2
@testable import WireProtobuf

/// One connection of the replay server, whose client sends the input.
///
/// The first byte of an input selects the mode: the size of the pieces in which the input arrives
/// (lower half), whether a valid preface and SETTINGS precede it (0x10), whether a second passes
/// with each piece (0x20), whether recorded times apply (0x40), and whether a token is required
/// (0x80). The rest is sent by the client. The class drives session and calls as `ServerConnection`
/// does. It checks that the output consists of frames, that no due action is left, and that no bytes
/// are held at the end.
final class ServerTalk {
  private static let sizes = [1, 2, 3, 5, 8, 9, 10, 17, 64, 255, 1000, 4096, 16_384, 65_536]

  private let session: HTTP2ServerSession
  private let service: ReplayService
  private let context: ServerContext
  private var calls: ServerCalls
  private var now = ContinuousClock.now
  private let stepDuration: Duration
  private var failures = 0
  private var output: [UInt8] = []
  /// The remaining payload octets of the frames seen so far.
  private var toSkip = 0

  static func run(_ mode: UInt8, _ input: [UInt8]) {
    let talk = ServerTalk(mode)
    var rest = input[...]
    if mode & 0x10 != 0 {
      talk.receive(Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0])
    }
    let size = sizes[Int(mode & 15) % sizes.count]
    while !rest.isEmpty, talk.failures == 0 {
      talk.receive(Array(rest.prefix(size)))
      rest = rest.dropFirst(size)
    }
    talk.end()
  }

  private init(_ mode: UInt8) {
    var configuration = ReplayConfiguration()
    configuration.speed = mode & 0x40 == 0 ? nil : 1
    configuration.requiresToken = mode & 0x80 != 0
    configuration.descriptors = { Self.descriptors }
    configuration.server.limits.requestSize = 2000
    configuration.server.limits.heldBytes = 4000
    stepDuration = mode & 0x20 == 0 ? .zero : .seconds(1)
    var http = ServerCalls.configuration(configuration.server.limits)
    let start = now
    http.now = { start }
    http.tracesFrames = true
    session = try! HTTP2ServerSession(configuration: http)
    service = ReplayService(
      ResponseIndex(Self.recorded, speed: configuration.speed, loops: true), configuration)
    context = ServerContext(service, configuration.server)
    calls = ServerCalls(session, context)
    flush()
  }

  private func receive(_ bytes: [UInt8]) {
    session.receive(bytes)
    takeEvents()
    flush()
    now += stepDuration
    calls.advance(now: now)
    flush()
    if let due = calls.due { require(due > now, "a due action was not performed") }
    require(context.heldBytes >= 0, "the number of held bytes is negative")
    require(context.heldBytes < 1 << 17, "\(context.heldBytes) bytes are held")
  }

  private func end() {
    service.shutDown()
    calls.shutDown()
    session.announceShutdown()
    flush()
    session.goAway()
    flush()
    calls.abandon()
    require(context.heldBytes == 0, "\(context.heldBytes) bytes are held at the end")
  }

  private func flush() {
    var rounds = 0
    repeat {
      while true {
        let before = output.count
        session.send(into: &output, limit: before + 1)
        takeEvents()
        guard output.count > before else { break }
        rounds += 1
        require(rounds < 10_000, "the session does not stop sending")
      }
    } while calls.performControlActions(now: now)
    checkFrames()
  }

  /// Checks that the output consists of complete frames of at most 16 KiB.
  private func checkFrames() {
    var offset = 0
    while offset < output.count {
      require(offset + 9 <= output.count, "a frame header is truncated")
      let length = output[offset..<offset + 3].reduce(0) { $0 << 8 | Int($1) }
      require(length <= 16_384, "a frame of \(length) octets is above the limit")
      require(output[offset + 3] < 10, "unexpected frame type \(output[offset + 3])")
      offset += 9 + length
    }
    require(offset == output.count, "a frame is truncated")
    output.removeAll(keepingCapacity: true)
  }

  private func takeEvents() {
    while let event = session.nextEvent() {
      require(failures == 0, "an event after the failure: \(event)")
      if case .failed = event { failures += 1 }
      calls.handle(event, now: now)
    }
  }

  // MARK: Recorded calls

  private static let descriptors = {
    return [FileDescriptorProto(name: "a.proto", service: [ServiceDescriptorProto(name: "S")])]
  }()

  private typealias Kind = RecordedCall.Event.Kind

  private static let recorded = [
    call("/S/Say", [[1]], [[7]], [.request, .halfClose, .headers, .response, .ending]),
    call("/S/Say", [[1]], [], [.request, .halfClose, .ending]),
    call(
      "/S/Watch", [[1]], Array(repeating: [UInt8](repeating: 5, count: 30_000), count: 5),
      [.request, .halfClose, .response, .response, .response, .response, .response, .cancel]),
    call(
      "/S/Chat", [[1], [2]], [[3], [4]],
      [.headers, .request, .response, .request, .response, .halfClose, .ending]),
    call("/S/First", [[1]], [[3], [4]], [.response, .request, .response, .ending]),
  ]

  private static func call(
    _ method: String, _ requests: [[UInt8]], _ responses: [[UInt8]], _ course: [Kind]
  ) -> RecordedCall {
    var call = RecordedCall(id: 1, method: method, authority: "a")
    call.time = Timestamp(seconds: 0)
    call.requests = requests
    call.responses = responses
    call.events = course.enumerated().map {
      .init(kind: $0.element, time: Timestamp(seconds: Int64($0.offset)))
    }
    if course.last == .ending {
      call.ending = .init(code: .ok, message: "", details: [], trailers: ["x": "y"])
    }
    return call
  }
}
