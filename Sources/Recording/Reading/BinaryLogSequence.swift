import WireProtobuf

/// Several binary logs that are read as one, one after another in the order in which they begin. Those of
/// a rotated set follow one another as their numbers say, whatever became of the clock.
package final class BinaryLogSequence {
  private final class Log {
    let path: String
    var reader: BinaryLogReader
    /// Read ahead.
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

    var isWaiting: Bool { first == nil && reader.isWaiting() }

    func next() throws(BinaryLogError) -> BinaryLogReader.Entry? {
      guard let first else { return try reader.next() }
      self.first = nil
      return try first.get()
    }
  }

  /// Entries of several threads may be written in another order than they were made, in seconds.
  private static let tolerance: Int64 = 1

  /// Those that are left, the next one last.
  private var logs: [Log]
  /// The latest time that was read.
  private var latest: Timestamp?
  /// Where the log that is read begins, counted from the start of the first, in bytes.
  private(set) var offset = 0
  /// What was left out, or is not in order, since this was last emptied: each with its place, in words.
  package var warnings: [String] = []

  /// - Parameter skipsDamage: as ``BinaryLogReader`` has it.
  package init(_ sources: [BinaryLogSource], skipsDamage: Bool = false) {
    let logs = sources.map { (name: RotatedName($0.path), log: Log($0, skipsDamage: skipsDamage)) }
    // Without the one that is written to, numbers may mean anything.
    let sets = Set(logs.lazy.filter { $0.name.number == 0 }.map(\.name.base))
    var unplaced = sets
    var runs: [(start: Timestamp?, logs: [Log])] = []
    for (name, log) in logs {
      if !sets.contains(name.base) {
        runs.append((log.start, [log]))
      } else if unplaced.remove(name.base) != nil {
        let set = logs.filter { $0.name.base == name.base }
          .sorted { $0.name.number > $1.name.number }.map(\.log)
        runs.append((set.lazy.compactMap(\.start).first, set))
      }
    }
    self.logs = runs.enumerated().sorted { one, other in
      guard let start = one.element.start, let otherStart = other.element.start,
        start != otherStart
      else {
        return (one.element.start == nil ? 0 : 1, one.offset)
          < (other.element.start == nil ? 0 : 1, other.offset)
      }
      return start < otherStart
    }.flatMap(\.element.logs).reversed()
  }

  /// What the log is called that is read.
  package var path: String { logs.last?.path ?? "" }

  /// Whether the next entry is yet to be written.
  package var isWaiting: Bool { logs.last?.isWaiting ?? false }

  /// The next entry, numbered and placed as in its own log; nil at the end of the last.
  ///
  /// Throws where a log cannot be read on: after that come the entries of the one behind it.
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
        leave(log)
        throw error
      }
      if let tail = log.reader.tornTail { warnings.append(tail) }
      leave(log)
    }
    return nil
  }

  private func takeWarnings(of log: Log) {
    guard !log.reader.damage.isEmpty else { return }
    warnings += log.reader.damage
    log.reader.damage = []
  }

  private func leave(_ log: Log) {
    offset += log.reader.end
    logs.removeLast()
    guard let next = logs.last, let start = next.start, let latest,
      start.seconds < latest.seconds.subtractingReportingOverflow(Self.tolerance).partialValue
    else { return }
    warnings.append(
      "\(next.path): begins before the end of \(log.path): its calls come behind those")
  }
}
