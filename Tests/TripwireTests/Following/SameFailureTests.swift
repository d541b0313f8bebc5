import Testing
import WireGRPC

@testable import Tripwire

@Suite struct SameFailureTests {
  private func error(
    _ message: String, code: StatusCode = .unavailable, origin: CallError.Origin = .local,
    failure: ConnectionFailure? = nil, cause: (any Error)? = nil
  ) -> CallError {
    var error = CallError(
      code: code, message: message, origin: origin, connectionFailure: failure)
    error.underlyingError = cause
    return error
  }

  @Test(arguments: [
    (
      "Failed to connect to ::1 port 1 after 0 ms: no",
      "Failed to connect to ::1 port 1 after 13 ms: no"
    ),
    ("deadline exceeded after 4.998000000s", "deadline exceeded after 5.001s"),
    ("retry in 1m30.5s", "retry in 12s"),
    ("took 3 seconds", "took 1 second"),
    ("waited 2 µs", "waited 10ms"),
    ("(35 min)", "(1 h)"),
  ])
  func durationsAreIgnored(one: String, other: String) {
    #expect(error(one).isSameFailure(as: error(other)))
  }

  @Test(arguments: [
    ("one", "two"), ("status 500", "status 503"), ("port 1", "port 2"), ("t1s", "t2s"),
    ("5 stops", "6 stops"), ("version 1.2.3", "version 1.2.4"), ("after 5 ms: a", "after 5 ms: b"),
    ("after 5 ms", "after "), ("4 m\u{b2}", "5 m\u{b2}"), ("", "5 s"),
  ])
  func otherTextIsCompared(one: String, other: String) {
    #expect(!error(one).isSameFailure(as: error(other)))
  }

  @Test func codeAndOriginAreCompared() {
    #expect(!error("a").isSameFailure(as: error("a", code: .internal)))
    #expect(!error("a").isSameFailure(as: error("a", origin: .server)))
  }

  @Test func connectionFailureIsTheSameAtAnyAddress() {
    func refused(_ peer: String, _ detail: String = "refused") -> CallError {
      CallError(ConnectionFailure(reason: .refused, peer: peer, detail: detail))
    }
    #expect(refused("[::1]:1").isSameFailure(as: refused("127.0.0.1:1")))
    #expect(!refused("h:1").isSameFailure(as: refused("h:1", "something else")))
    let late = ConnectionFailure(reason: .timedOut, peer: "h:1", detail: "refused")
    #expect(!refused("h:1").isSameFailure(as: CallError(late)))
  }

  /// An error with a domain and a code, like NSError.
  private struct DomainError: Error {
    let _domain: String
    let _code: Int
  }

  @Test func errorWithADomainIsComparedByDomainAndCode() {
    let first = error("at 0x1", cause: DomainError(_domain: "d", _code: 1))
    #expect(first.isSameFailure(as: error("at 0x2", cause: DomainError(_domain: "d", _code: 1))))
    #expect(!first.isSameFailure(as: error("at 0x1", cause: DomainError(_domain: "d", _code: 2))))
    #expect(!first.isSameFailure(as: error("at 0x1", cause: DomainError(_domain: "e", _code: 1))))
  }

  @Test func plainErrorIsComparedByItsText() {
    let first = error("one", cause: TokenError.empty)
    #expect(first.isSameFailure(as: error("one", cause: TokenError.empty)))
    #expect(!first.isSameFailure(as: error("two", cause: TokenError.empty)))
  }
}
