import Synchronization
import WireGRPCClient

/// The sizes of the messages that a channel received, in bytes on the wire.
final class ReceivedMessages: Sendable {
  private let sizes = Mutex<[Int]>([])

  /// Records a trace event of the channel.
  @Sendable func record(_ event: TraceEvent) {
    if case .responseMessage(let bytes, _) = event.step { sizes.withLock { $0.append(bytes) } }
  }

  /// Returns and clears the recorded sizes.
  func take() -> [Int] {
    sizes.withLock { sizes in
      defer { sizes = [] }
      return sizes
    }
  }
}
