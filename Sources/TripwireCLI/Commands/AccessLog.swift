import Replay
import Tripwire
import WireIO

/// Tells of each call that a server gets, once it is over, in a line.
final class AccessLog: Sendable {
  private struct Call {
    let start = ContinuousClock.now
    /// What it asks for.
    var resource: String?
    var hasAsked = false
  }

  private let lines: LineQueue
  /// Of the clients.
  private let secrets = SentSecrets()
  private let clock: @Sendable () -> WallClock

  init(_ lines: LineQueue, clock: @escaping @Sendable () -> WallClock) {
    self.lines = lines
    self.clock = clock
  }

  /// What is to be told of the call.
  func listener(to served: ServedCall) -> ServedCall.Listener {
    let call = Locked(Call())
    return { event in
      call.withLock { call in
        switch event {
        case .start(let metadata, _): self.secrets.learn(metadata)
        case .requestMessage(let message) where !call.hasAsked:
          call.hasAsked = true
          call.resource = RequestReader.resource(of: message.uncompressed, to: served.path)
        case .end(let result):
          let latency = ContinuousClock.now - call.start
          self.lines.write(self.line(served, call.resource, result, latency))
        default: break
        }
      }
    }
  }

  /// "2026-11-21T09:30:00.000Z 127.0.0.1:51234 /test.Echo/Say - OK 1.2 ms", and why this server
  /// answered by itself if it did.
  private func line(
    _ served: ServedCall, _ resource: String?, _ result: Result<Metadata, CallError>,
    _ latency: Duration
  ) -> String {
    var status = "OK"
    var reason = ""
    if case .failure(let error) = result {
      status = error.code.description
      if error.origin == .local {
        reason = ": " + shortened(secrets.struck(error.message), to: 1_024)
      }
    }
    let words = [
      clock().utc, served.peer, word(served.path), resource.map(word) ?? TextTable.unset, status,
    ]
    return words.joined(separator: " ") + " \(Units.latency(latency))\(reason)\n"
  }

  /// As one word, whatever a client sends.
  private func word(_ text: String) -> String {
    let text = shortened(secrets.struck(text), to: 256).split(
      separator: " ", omittingEmptySubsequences: false
    )
    .joined(separator: "\\u{20}")
    return text.isEmpty ? TextTable.unset : text
  }
}
