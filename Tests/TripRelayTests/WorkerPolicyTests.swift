import FleetEngineAPI
import Testing
import Tripwire
import WireGRPC
import WireProtobuf
import WireSystem

@testable import TripRelay

/// The decisions of a worker about its connection, and its streams, at given instants.
@Suite struct WorkerPolicyTests {
  private let start = ContinuousClock.now

  @Test func pollingStopsOnceWithoutAConnection() {
    var connectivity = Connectivity(lease: .seconds(5), at: start)
    connectivity.disconnected(at: start + .seconds(1))
    connectivity.disconnected(at: start + .seconds(30))
    #expect(!connectivity.isConnected)
    #expect(connectivity.suspend(at: start + .seconds(61), after: .seconds(60)) == false)
    #expect(connectivity.suspend(at: start + .seconds(62), after: .seconds(60)) == true)
    #expect(connectivity.suspend(at: start + .seconds(63), after: .seconds(60)) == false)
    connectivity.reconnected()
    #expect(connectivity.resume(at: start + .seconds(64)) == true)
    #expect(connectivity.resume(at: start + .seconds(65)) == false)
  }

  @Test func pollingStopsWhileHeartbeatsAreNotStored() {
    var connectivity = Connectivity(lease: .seconds(5), at: start)
    #expect(!connectivity.hasLeaseEnded(at: start + .seconds(5)))
    #expect(connectivity.hasLeaseEnded(at: start + .seconds(6)))
    #expect(connectivity.suspend(at: start + .seconds(60), after: .seconds(60)) == false)
    #expect(connectivity.suspend(at: start + .seconds(61), after: .seconds(60)) == true)
  }

  @Test func streamsAreCheckedEveryTenSecondsAndOneAtATime() {
    var streams = ExistingStreams(at: start)
    #expect(streams.beginCheck(at: start) == true)
    #expect(streams.beginCheck(at: start + .seconds(60)) == false)
    #expect(streams.found(["trips": Timestamp(seconds: 1)], at: start) == [])
    streams.endCheck()
    #expect(streams.beginCheck(at: start + .seconds(9)) == false)
    #expect(streams.beginCheck(at: start + .seconds(10)) == true)
    streams.endCheck()
    streams.forget(at: start)
    #expect(streams.times.isEmpty)
    #expect(streams.beginCheck(at: start) == true)
    streams.endCheck()
    streams.retryCheck(from: start)
    #expect(streams.beginCheck(at: start) == false)
    #expect(streams.beginCheck(at: start + .seconds(1)) == true)
  }

  @Test func changedStreamIsFoundAfterItWasForgotten() {
    var streams = ExistingStreams(at: start)
    let times = { (seconds: Int64) in
      ["trips": Timestamp(seconds: seconds), "vehicles": Timestamp(seconds: 1)]
    }
    #expect(streams.found(times(1), at: start) == [])
    streams.forget(at: start)
    #expect(streams.found(times(1), at: start) == [])
    streams.forget(at: start)
    #expect(streams.found(times(2), at: start) == ["trips"])
  }

  @Test func streamThatIsNotKnownIsCheckedSoon() {
    var streams = ExistingStreams(at: start)
    #expect(streams.found(["trips": Timestamp(seconds: 1)], at: start) == [])
    streams.need("trips", at: start)
    #expect(streams.beginCheck(at: start) == false)
    streams.need("vehicles", at: start)
    #expect(streams.beginCheck(at: start) == true)
    #expect(streams.found(["vehicles": Timestamp(seconds: 1)], at: start) == [])
    #expect(streams.times.count == 2)
  }

  @Test func delayOfTheServerIsSharedIfItIsLonger() {
    var delays = ProviderDelays()
    #expect(delays.delay("p", after: failure(.unavailable, seconds: 10), at: start) == nil)
    #expect(
      delays.delay("p", after: failure(.resourceExhausted, .local, seconds: 10), at: start) == nil)
    let limited = failure(.resourceExhausted, seconds: 10)
    #expect(delays.delay("p", after: limited, at: start) == .seconds(10))
    #expect(delays.delay("p", after: limited, at: start + .seconds(1)) == nil)
    #expect(delays.delay("q", after: limited, at: start + .seconds(1)) == .seconds(10))
    #expect(delays.end(of: "p", at: start + .seconds(9)) == start + .seconds(10))
    #expect(delays.end(of: "p", at: start + .seconds(10)) == nil)
    let long = failure(.resourceExhausted, seconds: 9_000)
    #expect(delays.delay("p", after: long, at: start) == .seconds(600))
  }

  private func failure(
    _ code: StatusCode, _ origin: CallError.Origin = .server, seconds: Int64
  ) -> RefreshFailure {
    var error = CallError(code: code, message: "", origin: origin)
    error.details = [.retryInfo(RetryInfo(retryDelay: WireDuration(seconds: seconds)))]
    return RefreshFailure(error: error, since: start)
  }
}
