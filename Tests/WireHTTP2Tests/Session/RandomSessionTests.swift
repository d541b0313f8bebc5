import TestSupport
import Testing
import WireHTTP2

/// Both sides act at random, over pipes that pass a few bytes at a time. Each stream is closed
/// once, has no events afterwards, and valid frames never fail.
@Suite struct RandomSessionTests {
  @Test(arguments: 0..<60)
  func everyStreamIsClosedOnce(_ seed: UInt64) throws {
    var random = SplitMix(state: seed)
    let window = Int.random(in: 1...70_000, using: &random)
    let configuration = HTTP2Configuration {
      $0.streamWindow = window
      $0.connectionWindow = 65_535
      $0.maxConcurrentStreams = Int(seed % 20) + 1
    }
    let client = try HTTP2ClientSession(configuration: configuration)
    let server = try HTTP2ServerSession(configuration: configuration)
    var (clientSide, serverSide) = (Side(client), Side(server))
    for turn in 0..<300 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0, 1:
        guard client.canSubmit else { break }
        let body = [UInt8](repeating: 1, count: .random(in: 0...30_000, using: &random))
        let ends = Bool.random(using: &random)
        clientSide.open.insert(
          try client.submitRequest(Samples.request, body: body, endStream: ends))
      case 2: clientSide.continueOne(&random)
      case 3: serverSide.continueOne(&random)
      case 4:
        guard let stream = serverSide.open.min() else { break }
        server.submitResponse(stream, Samples.response, endStream: Bool.random(using: &random))
        server.sendData(stream, [UInt8](repeating: 2, count: 5000), endStream: false)
        if Bool.random(using: &random) { server.submitTrailers(stream, Samples.trailers) }
      case 5:
        if let stream = clientSide.open.max(), Bool.random(using: &random) {
          client.reset(stream, errorCode: .cancel)
        }
      case 6 where turn > 100: client.goAway()
      case 7 where turn > 290: server.announceShutdown()
      default:
        clientSide.pass(.random(in: 0...20_000, using: &random), to: &serverSide)
        serverSide.pass(.random(in: 0...20_000, using: &random), to: &clientSide)
      }
      clientSide.take()
      serverSide.take()
    }
    var rounds = 0
    while !clientSide.open.isEmpty || !serverSide.open.isEmpty, rounds < 1000 {
      for stream in clientSide.open { client.sendData(stream, [], endStream: true) }
      for stream in serverSide.open { server.reset(stream, errorCode: .cancel) }
      clientSide.pass(.max, to: &serverSide)
      serverSide.pass(.max, to: &clientSide)
      rounds += 1
    }
    #expect(clientSide.open.isEmpty && serverSide.open.isEmpty)
    #expect(clientSide.failures.isEmpty && serverSide.failures.isEmpty)
    #expect(client.activeStreams == 0 && server.activeStreams == 0)
  }

  /// One session, the streams it has reported, and its bytes in transit.
  private struct Side {
    let session: HTTP2Session
    var open: Set<StreamID> = []
    var failures: [HTTP2Error] = []
    private var output: [UInt8] = []

    init(_ session: HTTP2Session) { self.session = session }

    mutating func take() {
      while let event = session.nextEvent() {
        switch event {
        case .streamClosed(let stream, _): #expect(open.remove(stream) != nil)
        case .headers(let stream, _, _):
          if session is HTTP2ServerSession { open.insert(stream) }
          #expect(open.contains(stream))
        case .data(let stream, let bytes, _):
          #expect(open.contains(stream))
          session.consume(stream, bytes.count)
        case .trailers(let stream, _): #expect(open.contains(stream))
        case .failed(let error): failures.append(error)
        default: break
        }
      }
    }

    func continueOne(_ random: inout SplitMix) {
      guard let stream = open.sorted().randomElement(using: &random) else { return }
      let more = [UInt8](repeating: 3, count: .random(in: 0...3000, using: &random))
      session.sendData(stream, more, endStream: Bool.random(using: &random))
    }

    mutating func pass(_ count: Int, to other: inout Side) {
      session.send(into: &output)
      take()
      other.session.receive(Array(output.prefix(count)))
      output.removeFirst(min(count, output.count))
      other.take()
    }
  }
}
