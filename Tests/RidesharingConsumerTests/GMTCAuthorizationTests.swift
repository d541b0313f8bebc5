import Foundation
import Testing
import Tripwire

@testable import RidesharingConsumer

@Suite struct GMTCAuthorizationTests {
  private final class Neither: GMTCAuthorization {}

  private let context = AuthorizationContext(resourceName: "providers/p/trips/t1", tripID: "t1")

  @Test func oneMethodIsEnough() async throws {
    let async = AsyncTokenProvider()
    #expect(try await TokenProvider(async).token(for: context) == "token-of-t1")
    #expect(try await async.fetchToken(with: nil) == "token-of-nothing")
    let completing = ClosureTokenProvider { $1("token-\($0?.tripID ?? "")", nil) }
    #expect(try await TokenProvider(completing).token(for: context) == "token-t1")
    let form: GMTCAuthorization = completing
    #expect(try await form.fetchToken(with: nil) == "token-")
  }

  @Test func oneMethodMustBeImplemented() async throws {
    let provider = Neither()
    await #expect {
      try await provider.fetchToken(with: nil)
    } throws: { "\($0)".contains("fetchToken(with:completion:)") }
    await #expect {
      try await TokenProvider(provider).token(for: context)
    } throws: { "\($0)".contains("fetchToken(with:completion:)") }
  }

  /// One provider calls another, in the form that the other does not implement.
  @Test func providerMayCallAnother() async throws {
    let inner: GMTCAuthorization = AsyncTokenProvider()
    let outer: GMTCAuthorization = ClosureTokenProvider {
      inner.fetchToken(with: $0, completion: $1)
    }
    #expect(try await outer.fetchToken(with: nil) == "token-of-nothing")
    let neither: GMTCAuthorization = Neither()
    let outermost: GMTCAuthorization = ClosureTokenProvider {
      neither.fetchToken(with: $0, completion: $1)
    }
    await #expect {
      try await outermost.fetchToken(with: nil)
    } throws: { "\($0)".contains("fetchToken(with:completion:)") }
  }

  /// The completion is retained and never called.
  @Test func tokenThatNeverArrivesFailsAtTheDeadline() async throws {
    final class Kept {
      var completion: GMTCAuthTokenFetchCompletionHandler?
    }
    let kept = Kept()
    let (asked, ask) = AsyncStream.makeStream(of: Void.self)
    let provider = TokenProvider(
      ClosureTokenProvider {
        kept.completion = $1
        ask.finish()
      })
    let task = Task { try await provider.token(for: context) }
    for await _ in asked {}
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    kept.completion?("late", nil)
  }
}
