import Testing
import Tripwire
import WireGRPCClient
import WireSystem

/// Time that moves only when a test says so.
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

/// A provider whose answers the test gives, one for each fetch, in the order of the fetches.
final class ScriptedTokens: AuthTokenProvider {
  typealias Answer = Result<AuthToken, any Error>

  struct Fetch: Sendable {
    let context: AuthorizationContext
    fileprivate let race: FirstResult<Answer>

    func answer(_ token: AuthToken) { race.end(.success(token)) }
    func fail(_ error: any Error) { race.end(.failure(error)) }
  }

  private struct State {
    var fetched = 0
    var cancelled = 0
  }

  private let state = Locked(State())
  private let fetches: AsyncStream<Fetch>
  private let telling: AsyncStream<Fetch>.Continuation
  private let mindsCancellation: Bool
  private let isShared: Bool

  init(mindsCancellation: Bool = true, isShared: Bool = false) {
    (fetches, telling) = AsyncStream.makeStream()
    self.mindsCancellation = mindsCancellation
    self.isShared = isShared
  }

  var fetched: Int { state.withLock { $0.fetched } }
  var cancelled: Int { state.withLock { $0.cancelled } }

  /// The next fetch, when it has begun.
  func next() async -> Fetch {
    for await fetch in fetches { return fetch }
    fatalError("the stream of fetches has no end")
  }

  func sharedContext(for context: AuthorizationContext) -> AuthorizationContext {
    isShared ? AuthorizationContext(resourceName: "") : context
  }

  func token(for context: AuthorizationContext) async throws -> AuthToken {
    let fetch = Fetch(context: context, race: FirstResult())
    state.withLock { $0.fetched += 1 }
    telling.yield(fetch)
    return try await withTaskCancellationHandler {
      await fetch.race.wait()
    } onCancel: {
      state.withLock { $0.cancelled += 1 }
      if mindsCancellation { fetch.fail(CancellationError()) }
    }.get()
  }
}

func aTrip(_ id: String = "t1") -> AuthorizationContext {
  AuthorizationContext(resourceName: "providers/p/trips/\(id)", tripID: id)
}
