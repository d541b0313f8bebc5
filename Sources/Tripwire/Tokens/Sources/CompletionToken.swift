import WireGRPCClient

/// Tokens from a function that calls back, as the Consumer SDK has it.
///
///     CompletionToken { context, completion in
///       backend.fetchToken(for: context.tripID) { token, error in completion(token, error) }
///     }
///
/// The completion may be called at once or later, on any queue; the first call counts, and those that
/// come when nobody waits any more count for nothing. Where it is never called, the call ends at its
/// deadline, or at once if the completion is let go.
public struct CompletionToken: AuthTokenProvider {
  /// Takes the token, or why there is none; of both the error counts.
  public typealias Completion = @Sendable (_ token: String?, _ error: (any Error)?) -> Void

  private let fetch: @Sendable (AuthorizationContext, @escaping Completion) -> Void

  public init(
    _ fetch:
      @escaping @Sendable (
        _ context: AuthorizationContext, _ completion: @escaping Completion
      ) -> Void
  ) {
    self.fetch = fetch
  }

  /// - Throws: what the completion was given, and ``TokenError/none`` if that was nothing, or if it
  ///   can no longer be called.
  public func token(for context: AuthorizationContext) async throws -> AuthToken {
    let race = FirstResult<Result<AuthToken, any Error>>()
    ask(context, Promise(race))
    return try await withTaskCancellationHandler {
      await race.wait()
    } onCancel: {
      race.end(.failure(CancellationError()))
    }.get()
  }

  private func ask(_ context: AuthorizationContext, _ promise: Promise) {
    fetch(context) { token, error in promise.keep(token, error) }
  }

  /// What the completion holds on to: gone when nobody can call it any more.
  private final class Promise: Sendable {
    private let race: FirstResult<Result<AuthToken, any Error>>

    init(_ race: FirstResult<Result<AuthToken, any Error>>) {
      self.race = race
    }

    deinit {
      race.end(.failure(TokenError.none))
    }

    func keep(_ token: String?, _ error: (any Error)?) {
      if let error {
        race.end(.failure(error))
      } else if let token {
        race.end(.success(AuthToken(token)))
      } else {
        race.end(.failure(TokenError.none))
      }
    }
  }
}
