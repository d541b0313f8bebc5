import Synchronization

@testable import WireGRPC

/// An interceptor that runs a closure.
struct ClosureInterceptor: ClientInterceptor {
  var name = "the tester"
  let body: @Sendable (inout StartingCall) async throws -> Void

  func start(_ call: inout StartingCall) async throws { try await body(&call) }
}

/// Records events as text.
final class EventRecorder: ClientInterceptor {
  private let recorded = Mutex<[String]>([])

  var all: [String] { recorded.withLock { $0 } }

  func start(_ call: inout StartingCall) {
    call.observe { event in self.recorded.withLock { $0.append(Self.text(event)) } }
  }

  private static func text(_ event: CallEvent) -> String {
    switch event {
    case .start(let metadata, let timeout): "start \(metadata.map(\.name)) \(timeout != nil)"
    case .attempt(let number, let peer): "attempt \(number) \(peer.prefix(10))"
    case .attemptFailed(let failure): "failed \(failure)"
    case .requestMessage(let message): "> \((try? message.contents().count) ?? -1)"
    case .requestEnd: "> end"
    case .responseHeaders(let metadata): "< \(metadata.map(\.name))"
    case .responseMessage(let message): "< \((try? message.contents()) ?? [])"
    case .end(.success(let trailers)): "OK \(trailers.map(\.name))"
    case .end(.failure(let error)): "\(error.code) \(error.origin) \(error.path ?? "-")"
    }
  }
}
