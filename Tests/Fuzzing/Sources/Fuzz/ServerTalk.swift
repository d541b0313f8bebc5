import ProtobufDescriptors
import WireHTTP2
import WireProtobuf

@testable import Recording
@testable import Replay
@testable import WireGRPCServer

/// One connection of the replay server, whose client says what the input says.
///
/// The first byte of an input says how: in pieces of which size it arrives (its lower half), whether
/// it begins behind a good preface and SETTINGS (0x10), whether a second goes by with each piece
/// (0x20), by recorded times (0x40), and whether a token is wanted (0x80). The rest is the client's.
/// It does to session and calls what a `ServerConnection` does, and requires that what we say are
/// frames, that nothing is due that was not done, and that nothing is kept when it is over.
final class ServerTalk {
  private static let sizes = [1, 2, 3, 5, 8, 9, 10, 17, 64, 255, 1000, 4096, 16_384, 65_536]

  private let session: HTTP2ServerSession
  private let service: ReplayService
  private let context: ServerContext
  private var calls: ServerCalls
  private var now = ContinuousClock.now
  private let pace: Duration
  private var failures = 0
  private var output: [UInt8] = []
  /// Octets of payloads that the frames we have seen announced.
  private var toSkip = 0

  static func run(_ how: UInt8, _ input: [UInt8]) {
    let talk = ServerTalk(how)
    var rest = input[...]
    if how & 0x10 != 0 {
      talk.hear(Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0])
    }
    let size = sizes[Int(how & 15) % sizes.count]
    while !rest.isEmpty, talk.failures == 0 {
      talk.hear(Array(rest.prefix(size)))
      rest = rest.dropFirst(size)
    }
    talk.end()
  }

  private init(_ how: UInt8) {
    var configuration = ReplayConfiguration()
    configuration.speed = how & 0x40 == 0 ? nil : 1
    configuration.requiresToken = how & 0x80 != 0
    configuration.descriptors = { Self.descriptors }
    configuration.server.limits.requestSize = 2000
    configuration.server.limits.heldBytes = 4000
    pace = how & 0x20 == 0 ? .zero : .seconds(1)
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

  private func hear(_ bytes: [UInt8]) {
    session.receive(bytes)
    takeEvents()
    flush()
    now += pace
    calls.advance(now: now)
    flush()
    if let due = calls.due { require(due > now, "something is due that is not done") }
    require(context.heldBytes >= 0, "less than nothing is held")
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
    require(context.heldBytes == 0, "\(context.heldBytes) bytes are held when all is over")
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
        require(rounds < 10_000, "the session does not cease to send")
      }
    } while calls.performControlActions(now: now)
    checkFrames()
  }

  /// What we said are whole frames, none above 16 KiB.
  private func checkFrames() {
    var offset = 0
    while offset < output.count {
      require(offset + 9 <= output.count, "a frame's head is cut")
      let length = output[offset..<offset + 3].reduce(0) { $0 << 8 | Int($1) }
      require(length <= 16_384, "a frame of \(length) octets is above the limit")
      require(output[offset + 3] < 10, "the frame type \(output[offset + 3]) is none of ours")
      offset += 9 + length
    }
    require(offset == output.count, "a frame is cut")
    output.removeAll(keepingCapacity: true)
  }

  private func takeEvents() {
    while let event = session.nextEvent() {
      require(failures == 0, "an event after the failure: \(event)")
      if case .failed = event { failures += 1 }
      calls.handle(event, now: now)
    }
  }

  // MARK: What is recorded

  private static let descriptors = {
    var file = FileDescriptorProto()
    file.name = "a.proto"
    var service = ServiceDescriptorProto()
    service.name = "S"
    file.service = [service]
    return [file]
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
    call.requests = requests.map { .init(bytes: $0) }
    call.responses = responses.map { .init(bytes: $0) }
    call.events = course.enumerated().map {
      .init(kind: $0.element, time: Timestamp(seconds: Int64($0.offset)))
    }
    if course.last == .ending {
      call.ending = .init(code: .ok, message: "", details: [], trailers: ["x": "y"])
    }
    return call
  }
}
