import Testing
import WireGRPC

@testable import Tripwire

@Suite struct RefreshScheduleTests {
  private var schedule = RefreshSchedule()
  private let begin = ContinuousClock.now

  private mutating func answered(
    after delay: Duration = .zero, interval: Duration = .seconds(5), random: Double = 0.5
  ) -> Duration {
    schedule.answered(
      began: begin, now: begin + delay, interval: interval, random: random) - begin
  }

  private mutating func failed(
    _ code: StatusCode, interval: Duration = .seconds(5), random: Double = 0.5,
    pushback: RetryPushback? = nil, details: [ErrorDetail] = []
  ) -> Duration {
    let error = CallError(
      code: code, message: "", details: details, origin: .server, retryPushback: pushback)
    return schedule.failed(
      error, began: begin, now: begin, interval: interval, random: random) - begin
  }

  @Test mutating func firstResponsePlacesTheTripInTheInterval() {
    for (random, place) in [(0.001, 0.1), (0.25, 1.25), (0.5, 2.5)] {
      schedule = RefreshSchedule()
      #expect(answered(random: random) == .seconds(place))
    }
  }

  @Test mutating func pollsStartOneIntervalApart() {
    _ = answered()
    #expect(answered() == .seconds(5))
    #expect(answered(after: .seconds(2), random: 0) == .seconds(4.75))
    #expect(answered(after: .seconds(7)) == .seconds(7))
  }

  @Test mutating func intervalIsBounded() {
    _ = answered()
    #expect(answered(interval: .zero) == .milliseconds(100))
    #expect(answered(interval: .seconds(-1)) == .milliseconds(100))
    #expect(answered(interval: .seconds(Int64.max)) == .seconds(86_400))
  }

  @Test mutating func serverErrorsBackOff() {
    var delays: [Duration] = []
    for _ in 0..<7 { delays.append(failed(.unavailable)) }
    let expected: [Duration] = [5, 8, 12.8, 20.48, 30, 30, 30].map { .seconds($0) }
    for (delay, expected) in zip(delays, expected) {
      #expect(abs((delay - expected) / .seconds(1)) < 0.001)
    }
    _ = answered()
    #expect(failed(.deadlineExceeded) == .seconds(5))
  }

  @Test(arguments: [
    (2.0, false, 2.0), (60.0, false, 60.0), (2.0, true, 5.0), (60.0, true, 60.0),
    (nil, false, 5.0),
  ])
  mutating func refusedTokenDelaysThePoll(
    retryAfter: Double?, isOnly: Bool, delay: Double
  ) {
    _ = answered()
    var error = CallError(code: .unauthenticated, message: "", origin: .local)
    error.underlyingError = TokenError.refused(
      reason: "", retryAfter: retryAfter.map { .seconds($0) }, isOnly: isOnly)
    let next = schedule.failed(
      error, began: begin, now: begin, interval: .seconds(5), random: isOnly ? 0.5 : 0)
    let expected = retryAfter == nil ? delay * 0.95 : isOnly && delay > 5 ? delay * 1.05 : delay
    #expect(abs((next - begin) / .seconds(1) - expected) < 0.001)
  }

  @Test mutating func shortIntervalBacksOffFromASecond() {
    #expect(failed(.unavailable, interval: .milliseconds(200)) == .seconds(1))
  }

  @Test mutating func longIntervalHardlyGrows() {
    #expect(failed(.unavailable, interval: .seconds(60), random: 0) == .seconds(48))
  }

  @Test(arguments: [
    StatusCode.invalidArgument, .notFound, .permissionDenied, .resourceExhausted,
    .unauthenticated,
  ])
  mutating func clientErrorsKeepTheInterval(code: StatusCode) {
    _ = answered()
    for _ in 0..<5 { #expect(failed(code) == .seconds(5)) }
  }

  @Test mutating func requestedDelayApplies() {
    var info = RetryInfo(retryDelay: .init(.seconds(40)))
    _ = answered()
    #expect(failed(.resourceExhausted, random: 0, details: [.retryInfo(info)]) == .seconds(40))
    #expect(failed(.unavailable, random: 0, details: [.retryInfo(info)]) == .seconds(40))
    #expect(failed(.unavailable, random: 0, pushback: .after(.seconds(7))) == .seconds(7))
    #expect(failed(.unavailable, random: 0, pushback: .never) == .seconds(30))
    info.retryDelay = .init(.seconds(1_000_000))
    #expect(failed(.unavailable, random: 0, details: [.retryInfo(info)]) == .seconds(600))
    info.retryDelay = .init(.seconds(-5))
    schedule = RefreshSchedule()
    #expect(
      failed(.unavailable, random: 0, details: [.retryInfo(info)]) == .milliseconds(100))
    // But not again and again.
    #expect(failed(.unavailable, random: 0, details: [.retryInfo(info)]) == .seconds(5))
    _ = answered()
    // Never sooner than the interval after a client error.
    #expect(
      failed(.resourceExhausted, random: 0.5, details: [.retryInfo(info)]) == .seconds(5))
  }
}
