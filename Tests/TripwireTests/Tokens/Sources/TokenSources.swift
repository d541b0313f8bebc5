import Testing
import WireGRPCClient
import WireSystem

@testable import Tripwire

/// A clock that advances only when a test advances it.
final class ManualTokenClock: Sendable {
  private let time = Locked(TokenTime(wall: 1_795_253_400, uptime: 1000))

  var now: TokenTime { time.withLock { $0 } }

  func advance(by seconds: Double) {
    time.withLock {
      $0.wall += seconds
      $0.uptime += seconds
    }
  }

  /// Sets the wall clock forward, or back by a negative number of seconds.
  func step(by seconds: Double) { time.withLock { $0.wall += seconds } }
}

/// A token provider whose results a test supplies, one for each fetch in order.
final class ScriptedTokens: AuthTokenProvider {
  typealias Answer = Result<AuthToken, any Error>

  struct Fetch: Sendable {
    let context: AuthorizationContext
    fileprivate let result: FirstResult<Answer>

    func succeed(_ token: AuthToken) { result.end(.success(token)) }
    func fail(_ error: any Error) { result.end(.failure(error)) }
  }

  private struct State {
    var fetched = 0
    var canceled = 0
  }

  private let state = Locked(State())
  private let fetches: AsyncStream<Fetch>
  private let continuation: AsyncStream<Fetch>.Continuation
  private let respondsToCancellation: Bool
  private let isShared: Bool

  init(respondsToCancellation: Bool = true, isShared: Bool = false) {
    (fetches, continuation) = AsyncStream.makeStream()
    self.respondsToCancellation = respondsToCancellation
    self.isShared = isShared
  }

  var fetched: Int { state.withLock { $0.fetched } }
  var canceled: Int { state.withLock { $0.canceled } }

  /// Waits for the next fetch.
  func next() async -> Fetch {
    for await fetch in fetches { return fetch }
    fatalError("the stream of fetches has no end")
  }

  func sharedContext(for context: AuthorizationContext) -> AuthorizationContext {
    isShared ? AuthorizationContext(resourceName: "") : context
  }

  func token(for context: AuthorizationContext) async throws -> AuthToken {
    let fetch = Fetch(context: context, result: FirstResult())
    state.withLock { $0.fetched += 1 }
    continuation.yield(fetch)
    return try await withTaskCancellationHandler {
      await fetch.result.wait()
    } onCancel: {
      state.withLock { $0.canceled += 1 }
      if respondsToCancellation { fetch.fail(CancellationError()) }
    }.get()
  }
}

func aTrip(_ id: String = "t1") -> AuthorizationContext {
  AuthorizationContext(resourceName: "providers/p/trips/\(id)", tripID: id)
}
