import Testing
import WireGRPC
import WireGRPCClient

@testable import CommandShell

@Suite struct TracePrinterTests {
  /// The printer, and the times that it prints.
  private struct Trace {
    private var times: TraceTimes
    private var printer = TracePrinter(showsFrames: true)

    init(_ start: ContinuousClock.Instant) { times = TraceTimes(start: start) }

    mutating func lines(for event: TraceEvent) -> String {
      printer.lines(for: event, times.note(event))
    }
  }

  private let start = ContinuousClock.now

  private func print(_ steps: [(milliseconds: Int, step: TraceEvent.Step)]) -> String {
    var printer = Trace(start)
    return steps.map { milliseconds, step in
      printer.lines(
        for: TraceEvent(time: start + .milliseconds(milliseconds), call: 1, step: step))
    }.joined()
  }

  @Test func tracesAProxyTunnel() {
    let text = print([
      (1, .connecting(address: "192.0.2.1:3128")), (3, .connected(address: "192.0.2.1:3128")),
      (4, .tls(version: "TLSv1.2", cipher: "C", alpn: "", peer: "CN=proxy", isResumed: false)),
      (6, .tunneled(target: "fleet.example:443")),
      (9, .tls(version: "TLSv1.3", cipher: "C", alpn: "h2", peer: "CN=fleet", isResumed: true)),
    ])
    let expected = """
      * connecting to 192.0.2.1:3128
      * connected to 192.0.2.1:3128 in 2.0 ms
      * TLSv1.2, C, peer CN=proxy in 1.0 ms
      * the proxy opened a tunnel to fleet.example:443 in 2.0 ms
      * TLSv1.3, C, ALPN h2, peer CN=fleet, resumed in 3.0 ms

      """
    #expect(text == expected)
  }

  @Test func tracesACallFromResolutionToEnd() {
    let text = print([
      (1, .resolving(host: "fleet.example")),
      (3, .resolved(host: "fleet.example", addresses: ["192.0.2.1:443", "[2001:db8::1]:443"])),
      (3, .connecting(address: "192.0.2.1:443")),
      (13, .connected(address: "192.0.2.1:443")),
      (
        33,
        .tls(
          version: "TLSv1.3", cipher: "TLS_AES_256_GCM_SHA384", alpn: "h2",
          peer: "CN=fleet.example", isResumed: false)
      ),
      (34, .ready(address: "192.0.2.1:443", maxConcurrentStreams: 100)),
      (
        34,
        .requestHeaders([
          .init(name: ":method", value: "POST"),
          .init(name: "authorization", value: "Bearer secret"),
        ])
      ),
      (34, .requestMessage(bytes: 28)),
      (34, .frame(.sent, "HEADERS stream 1 END_HEADERS 120 bytes")),
      (44, .frame(.received, "HEADERS stream 1 END_HEADERS 30 bytes")),
      (44, .responseHeaders([.init(name: ":status", value: "200")])),
      (45, .responseMessage(bytes: 348, decompressed: 348)),
      (45, .trailers([.init(name: "grpc-status", value: "0")])),
      (46, .finished(.ok)),
    ])
    #expect(
      text == """
        * resolving fleet.example
        * resolved to 192.0.2.1:443, [2001:db8::1]:443 in 2.0 ms
        * connecting to 192.0.2.1:443
        * connected to 192.0.2.1:443 in 10.0 ms
        * TLSv1.3, TLS_AES_256_GCM_SHA384, ALPN h2, peer CN=fleet.example in 20.0 ms
        * HTTP/2 ready at 192.0.2.1:443 (up to 100 concurrent calls) in 1.0 ms
        > :method: POST
        > authorization: <redacted>
        > [28 bytes]
        } HEADERS stream 1 END_HEADERS 120 bytes
        { HEADERS stream 1 END_HEADERS 30 bytes
        < :status: 200
        * response started in 10.0 ms
        < [348 bytes] in 1.0 ms
        < grpc-status: 0
        * OK after 46.0 ms: resolve 2.0 ms, connect 10.0 ms, TLS 20.0 ms, settings 1.0 ms, \
        response 10.0 ms, message 1.0 ms

        """)
  }

  @Test func tracesFailures() {
    let text = print([
      (0, .connecting(address: "127.0.0.1:1")),
      (1, .connectFailed(address: "127.0.0.1:1", reason: "Connection refused")),
      (2, .goAway(lastStreamID: 1, errorCode: 11, debugData: "too_many_pings")),
      (3, .transparentRetry(reason: "the server did not see the call")),
      (
        3,
        .retry(
          attempt: 2,
          failure: FailedAttempt(
            code: .unavailable, message: "down", peer: "127.0.0.1:1", delay: .seconds(0.9722979)))
      ),
      (3, .notRetried(reason: "the server asked not to retry")),
      (4, .informational([.init(name: ":status", value: "103")])),
      (5, .responseMessage(bytes: 10, decompressed: 40)),
      (6, .closed(reason: "the peer closed")),
    ])
    #expect(
      text == """
        * connecting to 127.0.0.1:1
        * cannot connect to 127.0.0.1:1: Connection refused after 1.0 ms
        * the server sent GOAWAY: last stream 1, error 11 "too_many_pings"
        * transparent retry: the server did not see the call
        * attempt 2 failed: UNAVAILABLE: down; retry in 972.3 ms
        * not retried: the server asked not to retry
        < :status: 103
        < [10 bytes, 40 bytes decompressed] in 5.0 ms
        * closed: the peer closed

        """)
  }

  @Test func messagesOfAStreamAreOneStep() {
    let text = print([
      (0, .requestHeaders([])),
      (1, .responseHeaders([])),
      (2, .responseMessage(bytes: 10, decompressed: 10)),
      (5, .responseMessage(bytes: 10, decompressed: nil)),
      (6, .finished(.ok)),
    ])
    #expect(
      text == """
        * response started in 1.0 ms
        < [10 bytes] in 1.0 ms
        < [10 bytes compressed] in 3.0 ms
        * OK after 6.0 ms: response 1.0 ms, message 4.0 ms

        """)
  }

  @Test func separatesTheTimesOfReflectionAndCall() {
    var printer = Trace(start)
    func line(_ milliseconds: Int, _ call: UInt64?, _ step: TraceEvent.Step) -> String {
      printer.lines(
        for: TraceEvent(time: start + .milliseconds(milliseconds), call: call, step: step))
    }
    _ = line(0, nil, .connecting(address: "h:1"))
    _ = line(1, nil, .connected(address: "h:1"))
    let path = TraceEvent.Header(
      name: ":path", value: "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo")
    _ = line(1, 1, .requestHeaders([path]))
    _ = line(3, 1, .responseHeaders([]))
    _ = line(6, 1, .responseMessage(bytes: 1, decompressed: 1))
    _ = line(7, 2, .requestHeaders([.init(name: ":path", value: "/s/m")]))
    #expect(
      line(8, 1, .finished(.cancelled))
        == "[1] * reflection finished after 8.0 ms: connect 1.0 ms, reflection 5.0 ms\n")
    _ = line(9, 2, .responseHeaders([]))
    _ = line(10, 2, .responseMessage(bytes: 1, decompressed: 1))
    #expect(
      line(11, 2, .finished(.ok))
        == "[2] * OK after 11.0 ms: connect 1.0 ms, reflection 5.0 ms, response 2.0 ms, message 1.0 ms\n"
    )
  }

  /// The second call starts during the first one, the third after both.
  @Test func concurrentCallsAreNumbered() {
    var printer = Trace(start)
    func lines(_ milliseconds: Int, _ call: UInt64?, _ step: TraceEvent.Step) -> String {
      printer.lines(
        for: TraceEvent(
          time: start + .milliseconds(milliseconds), call: call, path: call.map { _ in "/s/Get" },
          step: step))
    }
    let text = [
      lines(0, nil, .connecting(address: "h:1")), lines(2, nil, .connected(address: "h:1")),
      lines(3, 1, .requestHeaders([.init(name: ":path", value: "/s/Get")])),
      lines(5, 2, .requestHeaders([.init(name: ":path", value: "/s/Get")])),
      lines(6, 1, .responseHeaders([.init(name: ":status", value: "200")])),
      lines(9, 2, .responseHeaders([])), lines(10, 1, .finished(.ok)),
      lines(12, 2, .responseMessage(bytes: 1, decompressed: 1)), lines(12, 2, .finished(.ok)),
      lines(1_000, 3, .requestHeaders([])), lines(1_004, 3, .responseHeaders([])),
      lines(1_005, nil, .frame(.received, "PING stream=0 length=8")),
      lines(1_005, 3, .frame(.received, "HEADERS stream=5 length=9")),
      lines(1_006, 3, .finished(.ok)),
    ].joined()
    #expect(
      text == """
        * connecting to h:1
        * connected to h:1 in 2.0 ms
        > :path: /s/Get
        [2 Get] > :path: /s/Get
        [1 Get] < :status: 200
        [1 Get] * response started in 3.0 ms
        [2 Get] * response started in 4.0 ms
        [1 Get] * OK after 10.0 ms: connect 2.0 ms, response 3.0 ms
        [2 Get] < [1 byte] in 3.0 ms
        [2 Get] * OK after 7.0 ms: response 4.0 ms, message 3.0 ms
        [3 Get] * response started in 4.0 ms
        { PING stream=0 length=8
        [3 Get] { HEADERS stream=5 length=9
        [3 Get] * OK after 6.0 ms: response 4.0 ms

        """)
  }

  @Test(arguments: [
    "authorization", "Authorization", "cookie", "x-goog-api-key", "X-Api-Key", "x-auth-token",
    "x-goog-iam-authorization-token", "authorization-bin",
  ])
  func credentialHeadersAreMasked(name: String) {
    for text in [
      print([(0, .requestHeaders([.init(name: name, value: "secret")]))]),
      print([(0, .responseHeaders([.init(name: name, value: "secret")]))]),
      print([(0, .trailers([.init(name: name, value: "secret")]))]),
    ] {
      #expect(!text.contains("secret"))
      #expect(text.contains("<redacted>"))
    }
  }

  @Test func textFromThePeerIsEscaped() {
    let text = print([(0, .trailers([.init(name: "x", value: "\u{1b}[2J")]))])
    #expect(text == "< x: \\u{1b}[2J\n")
  }
}
