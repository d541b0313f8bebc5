import Synchronization
import WireGRPCClient

/// How many bytes each message had that a channel received, as they came over the wire.
final class ReceivedMessages: Sendable {
  private let sizes = Mutex<[Int]>([])

  /// For the channel to call.
  @Sendable func note(_ event: TraceEvent) {
    if case .responseMessage(let bytes, _) = event.step { sizes.withLock { $0.append(bytes) } }
  }

  /// Those since this was last asked for.
  func take() -> [Int] {
    sizes.withLock { sizes in
      defer { sizes = [] }
      return sizes
    }
  }
}
