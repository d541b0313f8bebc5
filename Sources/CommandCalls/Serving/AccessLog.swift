import CommandShell
import Replay
import Tripwire
import WireGRPCServer
import WireSystem

/// Writes one line for each call that a server has completed.
final class AccessLog: Sendable {
  private struct Call {
    let start = ContinuousClock.now
    /// The resource in the request.
    var resource: String?
    var hasRequest = false
    /// The recorded call that matched, and why.
    var match: String?
  }

  private let lines: LineQueue
  /// Knows the credentials of the clients.
  private let redactor = CredentialRedactor(memory: 64)
  private let clock: @Sendable () -> WallClock

  init(_ lines: LineQueue, clock: @escaping @Sendable () -> WallClock) {
    self.lines = lines
    self.clock = clock
  }

  func listener(to served: ServedCall) -> ServedCall.Listener {
    let call = Locked(Call())
    return { event in
      call.withLock { call in
        switch event {
        case .exchange(.start(let metadata, _)): self.redactor.note(metadata)
        case .exchange(.requestMessage(let message)) where !call.hasRequest:
          call.hasRequest = true
          call.resource = RequestReader.resource(of: message.uncompressed, to: served.path)
        case .match(let text): call.match = text
        case .exchange(.end(let result)): self.lines.write(self.line(served, call, result))
        default: break
        }
      }
    }
  }

  /// Returns "2026-11-21T09:30:00.000Z 127.0.0.1:51234 /test.Echo/Say — OK 1.2 ms: call 3, same request".
  /// If no recorded call matched, the reason is at the end.
  private func line(
    _ served: ServedCall, _ call: Call, _ result: Result<Metadata, CallError>
  ) -> String {
    let latency = Units.latency(ContinuousClock.now - call.start)
    var status = "OK"
    var reason = call.match
    if case .failure(let error) = result {
      status = error.code.description
      if error.origin == .local { reason = error.message }
    }
    let words = [
      clock().utc, served.peer, word(served.path), call.resource.map(word) ?? TextTable.unset,
      status, latency,
    ]
    let end = reason.map { ": " + shortened(redactor.redacted($0), to: 1_024) } ?? ""
    return words.joined(separator: " ") + end + "\n"
  }

  /// Returns text of a client as one word.
  private func word(_ text: String) -> String {
    let text = shortened(redactor.redacted(text), to: 256).split(
      separator: " ", omittingEmptySubsequences: false
    )
    .joined(separator: "\\u{20}")
    return text.isEmpty ? TextTable.unset : text
  }
}
