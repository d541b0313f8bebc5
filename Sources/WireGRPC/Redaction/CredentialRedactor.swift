import WireSystem

/// Knows the credentials of recent calls, for text that leaves the process: whoever repeats one, asterisks
/// are shown in its place.
package final class CredentialRedactor: Sendable {
  private let state: Locked<State>

  /// - Parameter memory: how many tokens, keys and headers of cookies are known at most, besides those of
  ///   the last call. Each is searched for by itself.
  package init(memory: Int = 16) {
    state = Locked(State(memory: memory))
  }

  /// Notes what a call is sent with. What of it is a credential is found out when there is text to
  /// redact, which most programs never have.
  package func note(_ metadata: Metadata) {
    state.withLock { $0.note(metadata) }
  }

  /// Those of the last call and of some before it.
  package var credentials: [Credential] {
    state.withLock { $0.examine() }
  }
}

private struct State {
  private let memory: Int
  private var last = Metadata()
  /// What was noted since credentials were last asked for.
  private var unexamined: [Metadata] = []
  private var kinds = MetadataKinds()
  /// By entry, the latest last: to prepare the search takes time, and calls for several trips may use as
  /// many tokens in turn.
  private var known: [(entry: Metadata.Entry, credentials: [Credential])] = []
  private var recent: [Credential] = []

  init(memory: Int) {
    self.memory = memory
  }

  mutating func note(_ metadata: Metadata) {
    guard metadata != last else { return }
    last = metadata
    unexamined.append(metadata)
    if unexamined.count > 64 { _ = examine() }
  }

  mutating func examine() -> [Credential] {
    for metadata in unexamined { learn(metadata) }
    unexamined = []
    return recent
  }

  private mutating func learn(_ metadata: Metadata) {
    var own = 0
    for entry in metadata {
      let index = known.firstIndex { $0.entry == entry }
      let credentials =
        index.map { known.remove(at: $0).credentials } ?? kinds.credentials(of: entry)
      guard !credentials.isEmpty else { continue }
      known.append((entry, credentials))
      own += 1
    }
    known.removeFirst(max(0, known.count - own - max(memory, 16)))
    recent = known.suffix(own + memory).flatMap(\.credentials).suffix(
      memory + Credential.mostOfACall)
  }
}
