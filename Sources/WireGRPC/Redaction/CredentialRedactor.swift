import WireSystem

/// Collects the credentials of recent calls, to mask them in text that leaves the process.
package final class CredentialRedactor: Sendable {
  private let state: Locked<State>

  /// - Parameter memory: the maximum number of tokens, keys and cookie headers that are kept in
  ///   addition to those of the last call. Each one needs a search of its own.
  package init(memory: Int = 16) {
    state = Locked(State(memory: memory))
  }

  /// Stores the metadata of a call. Its credentials are determined when there is text to redact, which
  /// most programs never have.
  package func note(_ metadata: Metadata) {
    state.withLock { $0.note(metadata) }
  }

  /// The credentials of the last call and of some earlier calls.
  package var credentials: [Credential] {
    state.withLock { $0.examine() }
  }
}

private struct State {
  private let memory: Int
  private var last = Metadata()
  /// The metadata stored since the credentials were last determined.
  private var unexamined: [Metadata] = []
  private var kinds = MetadataKinds()
  /// The credentials of each entry, the latest last. Kept, because preparing a search takes time, and
  /// calls for several trips may alternate between tokens.
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
      memory + Credential.maxPerCall)
  }
}
