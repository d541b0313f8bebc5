package import WireProtobuf

/// Log entries as JSON, each once.
package struct DownloadedEntries: Sendable {
  /// In bytes.
  package static let sizeLimit = 256 << 20
  package static let countLimit = 200_000

  private struct Key: Hashable {
    let log: String
    let time: Timestamp
    let insertID: String
  }

  private let sizeLimit: Int
  private var texts: [(time: Timestamp, json: [UInt8])] = []
  private var keys: Set<Key> = []
  private var size = 0

  init(sizeLimit: Int = sizeLimit) { self.sizeLimit = sizeLimit }

  package var count: Int { texts.count }

  /// The time of the newest entry.
  package private(set) var lastTime: Timestamp?

  /// Adds an entry, unless it is there. Two queries may find the same one.
  mutating func add(_ entry: LogEntry) throws(LogDownloadError) {
    let time = entry.timestamp ?? entry.receiveTimestamp ?? Timestamp()
    if !entry.insertId.isEmpty {
      let key = Key(log: entry.logName, time: time, insertID: entry.insertId)
      guard keys.insert(key).inserted else { return }
    }
    let json = try mapError(entry.jsonUTF8Bytes()) { (error: JSONEncodingError) in
      LogDownloadError.unwritable("\(error)")
    }
    size += json.count + 2
    guard size <= sizeLimit else { throw .tooLarge }
    guard count < Self.countLimit else { throw .tooMany }
    texts.append((time, json))
    lastTime = max(lastTime ?? time, time)
  }

  /// Returns a JSON array with an entry on each line, oldest first, and forgets the entries.
  mutating func takeJSON() -> [UInt8] {
    let order = texts.indices.sorted {
      texts[$0].time == texts[$1].time ? $0 < $1 : texts[$0].time < texts[$1].time
    }
    var array: [UInt8] = []
    array.reserveCapacity(size + 4)
    for index in order {
      array += (array.isEmpty ? "[\n" : ",\n").utf8
      array += texts[index].json
      texts[index].json = []
    }
    array += (array.isEmpty ? "[]\n" : "\n]\n").utf8
    self = DownloadedEntries(sizeLimit: sizeLimit)
    return array
  }
}
