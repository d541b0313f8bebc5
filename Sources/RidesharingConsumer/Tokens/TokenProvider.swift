import Tripwire
import WireGRPC

/// An app's provider, as Tripwire asks it.
///
/// `@unchecked Sendable`: it only calls the provider, which may be called on any thread; see
/// ``GMTCAuthorization``.
struct TokenProvider: AuthTokenProvider, @unchecked Sendable {
  private let provider: any GMTCAuthorization

  init(_ provider: any GMTCAuthorization) {
    self.provider = provider
  }

  func token(for context: AuthorizationContext) async throws -> AuthToken {
    AuthToken(try await token(for: context.tripID.map(GMTCAuthorizationContext.init)))
  }

  func token(for context: GMTCAuthorizationContext?) async throws -> String {
    let race = Race<Result<String, any Error>>()
    ask(context, Promise(race))
    return try await withTaskCancellationHandler {
      await race.wait()
    } onCancel: {
      race.end(.failure(CancellationError()))
    }.get()
  }

  private func ask(_ context: GMTCAuthorizationContext?, _ promise: Promise) {
    provider.fetchToken(with: context) { promise.keep($0, $1.map(DescribedError.describing)) }
  }

  func complete(
    _ context: GMTCAuthorizationContext?, _ completion: GMTCAuthTokenFetchCompletionHandler
  ) async {
    do {
      completion(try await provider.fetchToken(with: context), nil)
    } catch {
      completion(nil, error)
    }
  }

  private final class Promise: Sendable {
    let race: Race<Result<String, any Error>>
    init(_ race: Race<Result<String, any Error>>) { self.race = race }
    deinit { race.end(.failure(NoToken())) }
    func keep(_ token: String?, _ error: (any Error)?) {
      race.end(error.map(Result.failure) ?? token.map(Result.success) ?? .failure(NoToken()))
    }
  }

  private struct NoToken: Error, CustomStringConvertible {
    var description: String { "there is no token" }
  }
}
