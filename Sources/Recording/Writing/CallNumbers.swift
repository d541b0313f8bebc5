/// Tells of each entry of a log which call it is of.
///
/// Calls are counted from 1, in the order in which they begin. An id may come again: a CLIENT_HEADER
/// begins another call, as when processes append to one file in turn, and what a client and a server
/// log of the same call are two.
package struct CallNumbers {
  /// A call, as far as its number tells.
  package struct Call: Hashable, Sendable {
    /// Counted from 1.
    package var number: Int
    /// The path, "/package.Service/Method"; nil when the log lacks the beginning of the call.
    package var method: String?
    /// Whether this is its first entry.
    package var isNew: Bool
    /// Whether the server has said something, in this entry or before.
    package var isAnswered = false
  }

  /// After an end comes nothing but what was under way: for so many calls it is waited for.
  private static let endedLimit = 1_024

  private struct Key: Hashable {
    var logger: BinlogGrpcLogEntry.Logger
    var id: UInt64
  }

  /// How many there were.
  package private(set) var count = 0
  private var calls: [Key: Call] = [:]
  /// Those that have ended, the oldest first from `endedStart` on, with their numbers.
  private var ended: [(key: Key, number: Int)] = []
  private var endedStart = 0

  package init() {}

  package mutating func call(of entry: BinlogGrpcLogEntry) -> Call {
    let key = Key(logger: entry.logger, id: entry.callId)
    var call = calls[key]
    if entry.type == .clientHeader || call == nil {
      count += 1
      var method: String?
      if case .clientHeader(let header) = entry.payload {
        method = header.methodName.first == "/" ? header.methodName : "/" + header.methodName
      }
      calls[key] = Call(number: count, method: method, isNew: false)
      call = Call(number: count, method: method, isNew: true)
    }
    var found = call ?? Call(number: count, method: nil, isNew: true)
    if !found.isAnswered, entry.isOfServer {
      found.isAnswered = true
      calls[key]?.isAnswered = true
    }
    if entry.type == .serverTrailer || entry.type == .cancel { end(key, found.number) }
    return found
  }

  private mutating func end(_ key: Key, _ number: Int) {
    ended.append((key, number))
    guard ended.count - endedStart > Self.endedLimit else { return }
    let oldest = ended[endedStart]
    if calls[oldest.key]?.number == oldest.number { calls[oldest.key] = nil }
    endedStart += 1
    guard endedStart > Self.endedLimit else { return }
    ended.removeFirst(endedStart)
    endedStart = 0
  }
}

extension BinlogGrpcLogEntry {
  /// Whether a client was told so by the server. Of what one says the first entry has its address (gRFC
  /// A16): a status without it, and nothing before, the client has made itself.
  fileprivate var isOfServer: Bool {
    switch type {
    case .serverHeader, .serverMessage: true
    case .serverTrailer: peer != nil
    default: false
    }
  }
}
