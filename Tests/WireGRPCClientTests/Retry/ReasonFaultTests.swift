import Testing

@testable import WireGRPC
@testable import WireGRPCClient

/// One table decides whether a failure is retried, is reported as transient, and takes precedence.
@Suite struct ReasonFaultTests {
  typealias Reason = ConnectionFailure.Reason

  static let faults: [(Reason, Reason.Fault)] = [
    (.configuration, .caller), (.proxyConfiguration, .caller),
    (.nameNotResolved, .network), (.refused, .network), (.unreachable, .network),
    (.timedOut, .network), (.proxyTimedOut, .network), (.proxyUnreachable, .network),
    (.closed, .peer), (.closedUnanswered, .peer), (.tlsAlert("internal_error"), .peer),
    (.proxyRefused(status: 503), .peer),
    (.proxyRefused(status: 403), .setup), (.proxyRefused(status: 501), .setup),
    (.proxyAuthenticationRequired, .setup),
    (.proxyFailed, .setup), (.plaintextProxy, .setup), (.untrustedProxyCertificate, .setup),
    (.protocolViolation, .setup),
    (.tlsPeer, .setup), (.plaintextPeer, .setup), (.http1Peer, .setup), (.notHTTP2, .setup),
    (.noALPN, .setup), (.noCommonTLS, .setup), (.tlsFailed, .setup),
    (.untrustedCertificate("self-signed"), .setup), (.expiredCertificate, .setup),
    (.revokedCertificate, .setup), (.hostnameMismatch(expected: "a", names: []), .setup),
    (.clientCertificateRefused, .setup),
  ]

  @Test(arguments: faults)
  func everyReasonHasAFault(reason: Reason, fault: Reason.Fault) {
    #expect(reason.fault == fault)
    let failure = ConnectionFailure(reason: reason, peer: "h:1", detail: "")
    #expect(failure.isTransient == (fault == .network || fault == .peer))
    #expect(CallError(failure).kind == (fault == .caller ? .client : .serverOrNetwork))
  }

  @Test(arguments: faults)
  func policyRetriesTransientFailures(reason: Reason, fault: Reason.Fault) {
    let policy = RetryPolicy(
      maxAttempts: 2, initialBackoff: .seconds(1), maxBackoff: .seconds(1), backoffMultiplier: 1,
      retryableStatusCodes: [.unavailable])
    var machine = RetryStateMachine(policy)
    var throttle = RetryThrottle(nil)
    let decision = machine.attemptFailed(
      CallError(ConnectionFailure(reason: reason, peer: "h:1", detail: "")), commitment: nil,
      throttle: &throttle, random: 0.5)
    switch fault {
    case .network, .peer: #expect(decision == .retry(after: .seconds(1)))
    case .setup: #expect(decision == .end("retrying will not help"))
    case .caller: #expect(decision == .end(nil))
    }
  }
}
