import Testing

@testable import WireTransport

@Suite struct ConnectResponseTests {
  typealias Action = ConnectResponse.Action

  /// Returns the last action for `text` in pieces of `size` bytes, and the error at the end of the
  /// stream.
  private func read(
    _ text: String, piece size: Int = .max, hadCredentials: Bool = false
  ) -> (last: Action, end: ProxyError) {
    var answer = ConnectResponse(hadCredentials: hadCredentials)
    var rest = Array(text.utf8)[...]
    var last = Action.wait
    while !rest.isEmpty {
      let action = answer.receive(rest.prefix(size))
      rest = rest.dropFirst(size)
      switch (last, action) {
      case (.open(let surplus), .wait): last = .open(surplus: surplus)
      case (.fail, .wait): break
      default: last = action
      }
    }
    return (last, answer.end())
  }

  @Test(arguments: [
    "HTTP/1.1 200 Connection established\r\n\r\n",
    "HTTP/1.0 200 OK\r\nProxy-Agent: tinyproxy/1.11.1\r\nContent-Length: 99\r\n\r\n",
    "HTTP/1.1 200\r\nTransfer-Encoding: chunked\r\n\r\n",
    "HTTP/1.1 204 \n\n", "HTTP/1.1 299 odd\nX: y\r\n\n",
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
  ])
  func successOpensTheTunnel(_ text: String) {
    #expect(read(text).last == .open(surplus: []))
    #expect(read(text, piece: 1).last == .open(surplus: []))
    #expect(read(text + "\0\0server").last == .open(surplus: Array("\0\0server".utf8)))
  }

  @Test func incompleteHeadersAreAwaited() {
    let text = "HTTP/1.1 200 OK\r\nA: b\r\n\r\n"
    for count in 0..<text.count {
      let (last, end) = read(String(text.prefix(count)))
      #expect(last == .wait)
      #expect(end == .closed)
    }
  }

  @Test(arguments: [1, 7, .max]) func refusalContainsThePage(size: Int) {
    let text = "HTTP/1.1 403 Forbidden\r\nContent-Length: 12\r\n\r\n<p>no\r\n </p>"
    let refusal = ProxyError.refused(status: 403, reason: "Forbidden", body: "<p>no </p>")
    #expect(read(text, piece: size).last == .fail(refusal))
    let (last, end) = read(String(text.dropLast(6)), piece: size)
    #expect(last == .waitForBody)
    #expect(end == .refused(status: 403, reason: "Forbidden", body: "<p>no"))
  }

  @Test func longPageIsTruncated() {
    let text = "HTTP/1.1 502 Bad Gateway\r\n\r\n" + String(repeating: "x", count: 100_000)
    let body = String(repeating: "x", count: 256)
    #expect(
      read(text).last == .fail(.refused(status: 502, reason: "Bad Gateway", body: body)))
  }

  @Test func refusalWithoutAPageFailsAtOnce() {
    let text = "HTTP/1.1 503\r\nContent-length:0\r\n\r\n"
    #expect(read(text).last == .fail(.refused(status: 503, reason: "", body: "")))
  }

  @Test func chunkSizesAreRemovedFromThePage() {
    let text = "HTTP/1.1 500 No\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nsorry\r\n0\r\n\r\n"
    #expect(read(text).end == .refused(status: 500, reason: "No", body: "sorry 0"))
  }

  @Test(arguments: [true, false]) func missingOrRejectedCredentialsAreReported(hadCredentials: Bool)
  {
    let text = "HTTP/1.1 407 Who?\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n"
    #expect(
      read(text, hadCredentials: hadCredentials).last
        == .fail(.authenticationRequired(status: 407, hadSome: hadCredentials, body: "")))
  }

  @Test(arguments: [
    ("SSH-2.0-OpenSSH_9.2\r\n", "\"SSH-2.0-OpenSSH"), ("\u{16}\u{3}\u{1}", "a TLS record"),
    ("\0\0\u{12}\u{4}\0", "an HTTP/2 SETTINGS frame"), ("\u{5}\0x", "starts with 05 00 78"),
    ("HTTP/2 200\r\n\r\n", "\"HTTP/2"),
    ("HTTP/1.1 20\r\n\r\n", "\"HTTP/1.1 20\""), ("HTTP/1.1 2000 OK\r\n\r\n", "2000"),
    ("HTTP/1.1 099 OK\r\n\r\n", "099"), ("HTTP/1.1 101 Switch\r\n\r\n", "another protocol"),
    ("HTTP/1.1  200 OK\r\n\r\n", "HTTP/1.1  200"),
  ])
  func invalidResponsesAreReported(text: String, words: String) {
    guard case .fail(.malformed(let problem)) = read(text).last else {
      Issue.record("\(read(text).last)")
      return
    }
    #expect(problem.contains(words))
  }

  /// The limit includes interim responses.
  @Test(arguments: ["HTTP/1.1 200 OK\r\n", ""]) func headerSizeIsLimited(begin: String) {
    var answer = ConnectResponse(hadCredentials: false)
    var action = answer.receive(Array(begin.utf8)[...])
    let more = begin.isEmpty ? "HTTP/1.1 100 Wait\r\n\r\n" : "X-Header: again\r\n"
    var count = 0
    while action == .wait, count < 100_000 {
      count += more.utf8.count
      action = answer.receive(Array(more.utf8)[...])
    }
    guard case .fail(.malformed(let problem)) = action else {
      Issue.record("\(action)")
      return
    }
    #expect(problem.contains("\(ConnectResponse.longestHead)"))
    #expect(count < ConnectResponse.longestHead + 100)
    #expect(answer.receive(Array(more.utf8)[...]) == .wait)
  }

  /// Valid responses with bytes changed, removed or inserted, split anywhere. None may trap or open
  /// the tunnel without a 2xx status. The generator has a fixed seed.
  @Test func mutatedResponsesDoNotTrap() {
    var random = Dice(seed: 11)
    let samples = [
      "HTTP/1.1 200 OK\r\nVia: x\r\n\r\nrest", "HTTP/1.1 407 Auth\r\nContent-Length: 3\r\n\r\nabc",
      "HTTP/1.1 100 C\r\n\r\nHTTP/1.1 500 E\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody",
    ]
    for _ in 0..<20_000 {
      var bytes = Array(samples[random.below(samples.count)].utf8)
      for _ in 0...random.below(4) {
        let place = random.below(bytes.count)
        switch random.below(3) {
        case 0: bytes[place] = UInt8(random.below(256))
        case 1: bytes.remove(at: place)
        default: bytes.insert(UInt8(random.below(256)), at: place)
        }
      }
      var answer = ConnectResponse(hadCredentials: false)
      var rest = bytes[...]
      while !rest.isEmpty {
        let size = 1 + random.below(rest.count)
        let action = answer.receive(rest.prefix(size))
        rest = rest.dropFirst(size)
        if case .open = action {
          #expect(bytes.contains(UInt8(ascii: "2")))
          break
        }
        if case .fail = action { break }
      }
      _ = answer.end()
    }
  }
}

/// A linear congruential generator.
struct Dice {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func below(_ limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % limit
  }
}
