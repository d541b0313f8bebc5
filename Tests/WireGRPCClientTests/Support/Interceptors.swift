import Synchronization
import WireGRPC

/// Does what its closure does.
struct Doing: ClientInterceptor {
  var name = "the tester"
  let body: @Sendable (inout StartingCall) async throws -> Void

  func start(_ call: inout StartingCall) async throws { try await body(&call) }
}

/// Notes what it hears, in words.
final class Notes: ClientInterceptor {
  private let noted = Mutex<[String]>([])

  var all: [String] { noted.withLock { $0 } }

  func start(_ call: inout StartingCall) {
    call.observe { event in self.noted.withLock { $0.append(Self.words(event)) } }
  }

  private static func words(_ event: CallEvent) -> String {
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
