import WireGRPCClient

/// Tokens from a function with a completion handler, as in the Consumer SDK.
///
///     CompletionToken { context, completion in
///       backend.fetchToken(for: context.tripID) { token, error in completion(token, error) }
///     }
///
/// The completion may be called at once or later, on any queue. Only the first result is used, and
/// only while a gRPC call waits for it. If the completion is never called, the gRPC call fails at
/// its deadline. If the completion is released without being called, the gRPC call fails at once.
public struct CompletionToken: AuthTokenProvider {
  /// Takes the token or the error. If both are given, the token is ignored.
  public typealias Completion = @Sendable (_ token: String?, _ error: (any Error)?) -> Void

  private let fetch: @Sendable (AuthorizationContext, @escaping Completion) -> Void

  /// Creates a provider that calls the function for each token.
  ///
  /// - Parameter fetch: fetches a token for the context, and calls the completion once.
  public init(
    _ fetch:
      @escaping @Sendable (
        _ context: AuthorizationContext, _ completion: @escaping Completion
      ) -> Void
  ) {
    self.fetch = fetch
  }

  /// Calls the function and waits for its completion.
  ///
  /// - Throws: the error given to the completion; ``TokenError/none`` if it got neither token nor
  ///   error or was released.
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

  /// Owned by the completion, so it is released when nobody can call the completion anymore.
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
