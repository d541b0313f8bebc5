import WireProtobuf

/// Several binary logs that are read as one, ordered by their first entries. The files of a rotated
/// set are ordered by their numbers, regardless of clock changes.
package final class BinaryLogSequence {
  private final class Log {
    let path: String
    var reader: BinaryLogReader
    /// The first entry, read ahead.
    private var first: Result<BinaryLogReader.Entry?, BinaryLogError>?

    init(_ source: BinaryLogSource, skipsDamage: Bool) {
      path = source.path
      reader = BinaryLogReader(source, skipsDamage: skipsDamage)
      do throws(BinaryLogError) {
        first = .success(try reader.next())
      } catch {
        first = .failure(error)
      }
    }

    var start: Timestamp? {
      guard case .success(let entry?) = first else { return nil }
      return entry.value.timestamp
    }

    var isWaiting: Bool { first == nil && reader.isWaiting }

    func next() throws(BinaryLogError) -> BinaryLogReader.Entry? {
      guard let first else { return try reader.next() }
      self.first = nil
      return try first.get()
    }
  }

  /// The tolerated disorder of entries from several threads, in seconds.
  private static let tolerance: Int64 = 1

  /// The remaining logs; the next one is last.
  private var logs: [Log]
  private var latest: Timestamp?
  /// The offset of the current log from the start of the first, in bytes.
  private(set) var offset = 0
  /// Messages about skipped or unordered parts, with their positions, since the caller last emptied
  /// the array.
  package var warnings: [String] = []

  /// - Parameter skipsDamage: see ``BinaryLogReader``.
  package init(_ sources: [BinaryLogSource], skipsDamage: Bool = false) {
    let logs = sources.map { (name: RotatedName($0.path), log: Log($0, skipsDamage: skipsDamage)) }
    // Without the current file of the set, a numeric suffix may mean anything.
    let sets = Set(logs.lazy.filter { $0.name.number == 0 }.map(\.name.base))
    var unsortedSets = sets
    var runs: [(start: Timestamp?, logs: [Log])] = []
    for (name, log) in logs {
      if !sets.contains(name.base) {
        runs.append((log.start, [log]))
      } else if unsortedSets.remove(name.base) != nil {
        let set = logs.filter { $0.name.base == name.base }
          .sorted { $0.name.number > $1.name.number }.map(\.log)
        runs.append((set.lazy.compactMap(\.start).first, set))
      }
    }
    // Logs without a time come first.
    let beginning = Timestamp(seconds: .min)
    self.logs = runs.enumerated().sorted { one, other in
      (one.element.start ?? beginning, one.offset) < (
        other.element.start ?? beginning, other.offset
      )
    }.flatMap(\.element.logs).reversed()
  }

  var path: String { logs.last?.path ?? "" }

  /// Whether the next entry has not been written yet.
  package var isWaiting: Bool { logs.last?.isWaiting ?? false }

  /// Reads the next entry, with number and offset in its own log; nil at the end of the last log.
  ///
  /// - Throws: ``BinaryLogError`` if a log cannot be read further. The next call continues with the
  ///   log after it.
  package func next() throws(BinaryLogError) -> BinaryLogReader.Entry? {
    while let log = logs.last {
      do throws(BinaryLogError) {
        let entry = try log.next()
        takeWarnings(of: log)
        if let entry {
          if let time = entry.value.timestamp { latest = max(latest ?? time, time) }
          return entry
        }
      } catch {
        takeWarnings(of: log)
        finish(log)
        throw error
      }
      if let tail = log.reader.truncatedTail { warnings.append(tail) }
      finish(log)
    }
    return nil
  }

  private func takeWarnings(of log: Log) {
    guard !log.reader.damage.isEmpty else { return }
    warnings += log.reader.damage
    log.reader.damage = []
  }

  private func finish(_ log: Log) {
    offset += log.reader.end
    logs.removeLast()
    guard let next = logs.last, let start = next.start, let latest,
      start.seconds < latest.seconds.subtractingReportingOverflow(Self.tolerance).partialValue
    else { return }
    warnings.append(
      "\(next.path): starts before \(log.path) ends; its calls come after those of \(log.path)"
    )
  }
}
