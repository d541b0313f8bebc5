import Testing
import Tripwire

@testable import RecordingAnalysis

/// Waits after errors, of the driver's app and of the client.
extension TripSpansTests {
  @Test func oneRefusedUpdateIsNotTheCauseOfALongSilence() {
    let evidence = Self.evidence(
      updates: Self.every5(0..<55) + Self.every5(175..<225),
      polls: Self.every5(0..<225, from: 2), until: 225,
      update: { $0 == 50 ? Self.failure(.unavailable) : Self.ok })
    #expect(
      Self.stale(evidence).map(\.cause) == [
        .nothingSent(missing: 24, usual: 5, last: 50, error: Self.failure(.unavailable))
      ])
    let refused = Self.evidence(
      updates: Self.every5(0..<85) + Self.every5(175..<225),
      polls: Self.every5(0..<225, from: 2), until: 225,
      update: { 50..<85 ~= $0 ? Self.failure(.unavailable) : Self.ok })
    #expect(
      Self.stale(refused).map(\.cause) == [
        .updatesFailed(.init(count: 7, first: Self.failure(.unavailable))),
        .nothingSent(missing: 18, usual: 5, last: 80, error: Self.failure(.unavailable)),
      ])
  }

  @Test func waitsAfterRefusedUpdatesMayGrow() {
    let failures = [50.0, 66, 94]
    let evidence = Self.evidence(
      updates: Self.every5(0..<50) + failures + Self.every5(110..<150),
      polls: Self.every5(0..<150, from: 2), until: 150,
      update: { failures.contains($0) ? Self.failure(.unavailable) : Self.ok })
    #expect(
      Self.stale(evidence).map(\.cause) == [
        .updatesFailed(.init(count: 3, first: Self.failure(.unavailable), longestWait: 28))
      ])
  }

  @Test func aWaitThatTheServerAsksForIsNoSilence() {
    var error = Self.failure(.resourceExhausted)
    error.retryDelay = 60
    let driver = Self.evidence(
      updates: Self.every5(0..<55) + Self.every5(111..<150),
      polls: Self.every5(0..<150, from: 2), until: 150,
      update: { $0 == 50 ? error : Self.ok })
    #expect(
      Self.stale(driver).map(\.cause) == [
        .updatesFailed(.init(count: 1, first: error, longestWait: 61))
      ])
    let client = Self.evidence(
      updates: Self.every5(0..<150),
      polls: Self.every5(0..<55, from: 2) + Self.every5(113..<150), until: 150,
      poll: { $0 == 52 ? error : Self.ok })
    #expect(Self.stale(client).map(\.cause?.name) == ["polls-failed"])
  }

  @Test func aClientThatGivesUpAfterAnErrorIsNotAbsent() {
    let evidence = Self.evidence(
      updates: Self.every5(0..<300), polls: Self.every5(0..<60, from: 2), until: 300,
      poll: { $0 < 50 ? Self.ok : Self.failure(.unauthenticated) })
    let spans = Self.stale(evidence)
    #expect(spans.map(\.cause?.name) == ["token-refused"])
    #expect(spans.last?.end == 300)
  }

  @Test func silenceAfterAnErrorIsTheClients() {
    for error in [Self.failure(.internal), Self.failure(.unavailable, isLocal: true)] {
      let evidence = Self.evidence(
        updates: Self.every5(0..<200),
        polls: Self.every5(0..<50, from: 2) + [52, 53.1] + Self.every5(130..<200, from: 2),
        until: 200, poll: { 50..<60 ~= $0 ? error : Self.ok })
      let spans = Self.stale(evidence)
      #expect(spans.map(\.cause) == [.notAsked(longest: 132 - 53.2, after: error)])
      #expect(spans.map(\.cause?.side) == [.client])
    }
  }

  @Test func silenceAtTheEndAfterAnErrorIsTheClients() {
    let evidence = Self.evidence(
      updates: Self.every5(0..<200), polls: Self.every5(0..<50, from: 2) + [52], until: 200,
      poll: { $0 < 50 ? Self.ok : Self.failure(.internal) })
    #expect(Self.stale(evidence).map(\.cause?.name) == ["not-asked"])
  }

  @Test(arguments: [[52.0, 53, 55, 59, 67, 83, 113], [52, 82, 112]])
  func waitsBetweenErrorsAreNotSilence(failed: [Double]) {
    let evidence = Self.evidence(
      updates: Self.every5(0..<200),
      polls: Self.every5(0..<50, from: 2) + failed + Self.every5(140..<200, from: 2), until: 200,
      poll: { 50..<140 ~= $0 ? Self.failure(.internal) : Self.ok })
    let spans = Self.stale(evidence)
    #expect(spans.map(\.cause?.name) == ["polls-failed"])
    #expect(spans.map(\.cause?.side) == [.server])
  }
}
