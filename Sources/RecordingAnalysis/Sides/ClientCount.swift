import Recording

/// Finds out whether calls are those of several clients at the same time. A recording does not name its client.
struct ClientCount {
  private var lastID: UInt64 = 0
  private var lastName = ""
  private var calls = 0
  /// The number of calls that do not continue the call before.
  private var changes = 0

  /// - Parameter entry: the first of a call of a client.
  mutating func add(_ entry: BinlogGrpcLogEntry) {
    guard case .clientHeader(let header) = entry.payload else { return }
    let agent = header.metadata?.entry.first { $0.key.lowercased() == "user-agent" }
    let name = header.authority + " " + String(decoding: agent?.value ?? [], as: UTF8.self)
    // A process numbers its calls from a start of its own (gRFC A16: call_id).
    if calls > 0, entry.callId <= lastID || name != lastName { changes += 1 }
    (lastID, lastName) = (entry.callId, name)
    calls += 1
  }

  /// Whether the client changes in more than a quarter of the calls. A client that restarts or is updated changes less
  /// often.
  var isSeveral: Bool { changes > 2 && changes * 4 > calls }
}
