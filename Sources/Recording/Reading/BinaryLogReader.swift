import WireProtobuf
import WireSystem

/// Reads a gRPC binary log entry by entry: `grpc.binarylog.v1.GrpcLogEntry` messages, a big-endian
/// 32-bit length before each; packed with gzip or not.
///
/// Holds one entry at a time, however long the file.
package struct BinaryLogReader: ~Copyable {
  /// An entry and where it stands in the file.
  package struct Entry: Hashable, Sendable {
    /// Counted from 1.
    package var number: Int
    /// Where its length prefix begins, in bytes from the start of the file.
    package var offset: Int
    package var value: BinlogGrpcLogEntry
  }

  /// The longest entry taken: 64 MiB. A longer length means the file is no binary log.
  static let entryLimit = 64 << 20

  /// So many bytes without an entry, and the file is no binary log: 16 MiB.
  private static let searchLimit = 16 << 20

  private let path: String
  private let file: UnpackedFile
  private let skipsDamage: Bool
  /// How many bytes show whether an entry is followed by another.
  private var lookahead: Int { skipsDamage ? EntryFramer.beginning : 0 }
  private var isAtEnd = false
  private var framer = EntryFramer(limit: entryLimit)
  /// Why it is not known where the next entry begins.
  private var loss: BinaryLogError?
  /// What was looked at for entries in damaged places and is none, in bytes.
  private var vain = 0
  private var hasFound = false

  /// Set at the end of a file whose last entry was cut short, as by a crash while it was written:
  /// what is missing, in words. What came before it is whole.
  private(set) var tornTail: String?

  /// Where the entries end that have been read, in bytes from the start of the file.
  package var end: Int { framer.offset }

  /// Whether gzip made the file, as far as it is known: places are those of what is packed into it.
  package var isPacked: Bool { file.isPacked }

  /// What was left out since this was last emptied, each with its place, in words.
  var damage: [String] = []

  /// Throws when the file cannot be opened.
  ///
  /// - Parameter skipsDamage: whether to go on behind what is corrupt, as where a process wrote on
  ///   behind an entry that a crash had cut short. See ``damage``.
  package init(path: String, skipsDamage: Bool = false) throws(BinaryLogError) {
    let file = try mapError(LocalFile(path)) { (error: IOError) in
      BinaryLogError(path: path, reason: error.code.description)
    }
    self.init(BinaryLogSource(path: path, file), skipsDamage: skipsDamage)
  }

  /// Reads a file, or standard input, that is open already.
  package init(_ source: BinaryLogSource, skipsDamage: Bool = false) {
    path = source.path
    file = UnpackedFile(source)
    self.skipsDamage = skipsDamage
    framer.lookahead = lookahead
  }

  /// The next entry, or nil at the end of the file.
  ///
  /// Throws when the file cannot be read or an entry is corrupt; nothing after it can be found. One that
  /// skips damage throws for a file without any entry.
  package mutating func next() throws(BinaryLogError) -> Entry? {
    while true {
      while let frame = try nextFrame() {
        do throws(NoEntry) {
          let entry = try decode(frame)
          if skipsDamage, !framer.isFollowed, let inner = entryInside(frame) { return inner }
          find(frame)
          return entry
        } catch {
          vain += loss == nil ? 0 : error.cost
          try lose(
            frame,
            BinaryLogError(
              path: path, entry: frame.number, offset: frame.offset, reason: error.reason))
        }
      }
      if !isAtEnd {
        let bytes = try file.next()
        if end == 0, loss == nil, !framer.hasBytes, let kind = FileKind(bytes) {
          throw BinaryLogError(
            path: path, entry: 1, offset: 0, reason: "the content looks like \(kind.name)",
            isOtherFile: true, hint: kind.hint(path))
        }
        isAtEnd = bytes.isEmpty
        if isAtEnd, let defect = file.defect {
          let reason = "the gzip data is damaged: \(defect)"
          guard hasFound || framer.hasFrame else {
            throw BinaryLogError(path: path, reason: reason)
          }
          damage.append("\(path): \(reason): the rest is skipped")
        }
        framer.lookahead = isAtEnd ? 0 : lookahead
        framer.append(bytes)
        // A file that never ends would be searched for ever.
        if let loss, isHopeless(framer.offset) { throw hopeless(loss) }
      } else if try !goOnBehindTornTail() {
        return nil
      }
    }
  }

  /// Whether the next entry is yet to be written.
  package mutating func isWaiting() -> Bool {
    guard !isAtEnd, !framer.hasFrame, file.isWaiting else { return false }
    framer.lookahead = 0
    return !framer.hasFrame
  }

  private mutating func nextFrame() throws(BinaryLogError) -> EntryFramer.Frame? {
    while true {
      do {
        return try framer.next()
      } catch {
        var reason = "length \(error.length) is not between 1 and \(Self.entryLimit)"
        if !hasFound {
          reason = "the first entry has a length of \(error.length) bytes"
        } else if !skipsDamage {
          reason += "; the file is corrupt from here on"
        }
        let failure = BinaryLogError(
          path: path, entry: error.number, offset: error.offset, reason: reason)
        try lose(nil, failure)
      }
    }
  }

  private func decode(_ frame: EntryFramer.Frame) throws(NoEntry) -> Entry {
    let value: BinlogGrpcLogEntry
    do {
      value = try BinlogGrpcLogEntry(serializedBytes: frame.bytes)
    } catch {
      throw NoEntry(reason: "\(error)", cost: error.byteOffset + 1)
    }
    let entry = Entry(number: frame.number, offset: frame.offset, value: value)
    // Bytes may happen to decode.
    guard loss == nil || entry.isPlausible else {
      throw NoEntry(reason: "not an entry", cost: frame.bytes.count)
    }
    return entry
  }

  // MARK: Damage

  /// Not every one of countless beginnings can be followed to its end.
  private var isTired: Bool { vain > 4 * Self.entryLimit }

  /// Bytes that are no entry.
  private struct NoEntry: Error {
    var reason: String
    /// How many of them were looked at.
    var cost: Int
  }

  /// Whether there would be an entry by now if it were a log.
  private func isHopeless(_ offset: Int) -> Bool { !hasFound && offset > Self.searchLimit }

  private func hopeless(_ loss: BinaryLogError) -> BinaryLogError {
    var error = loss.ofOtherFile
    error.reason = "no entry found in the first \(Self.searchLimit >> 20) MiB"
    return error
  }

  /// Returns the error to report for a damaged place.
  private func failure(_ error: BinaryLogError) -> BinaryLogError {
    hasFound ? error : error.ofOtherFile
  }

  private mutating func find(_ frame: EntryFramer.Frame) {
    hasFound = true
    guard let loss, let start = loss.offset else { return }
    damage.append("\(loss): \(frame.offset - start) bytes skipped")
    self.loss = nil
    tornTail = nil
    framer.find()
  }

  /// An entry that was cut short takes for its own what a process wrote behind it, and may decode so.
  /// Returns the first that begins inside it; nil, and nothing has changed, when there is none.
  private mutating func entryInside(_ frame: EntryFramer.Frame) -> Entry? {
    let before = framer
    framer.lookahead = 0
    framer.lose(frame)
    let end = frame.offset + EntryFramer.prefixLength + frame.bytes.count
    while !isTired, let inner = try? framer.next(), inner.offset < end {
      do throws(NoEntry) {
        let entry = try decode(inner)
        if entry.isPlausible {
          framer.lookahead = before.lookahead
          if loss == nil {
            loss = BinaryLogError(
              path: path, entry: frame.number, offset: frame.offset, reason: "truncated")
          }
          find(inner)
          return entry
        }
        vain += inner.bytes.count
      } catch {
        vain += error.cost
      }
      framer.lose(inner)
    }
    framer = before
    return nil
  }

  private mutating func lose(
    _ frame: EntryFramer.Frame?, _ error: BinaryLogError
  ) throws(BinaryLogError) {
    if isHopeless(error.offset ?? 0) { throw hopeless(loss ?? error) }
    guard skipsDamage, !isTired else { throw failure(loss ?? error) }
    if loss == nil { loss = error }
    framer.lose(frame)
  }

  /// At the end of the file. Returns whether there may be another entry behind what is cut short.
  private mutating func goOnBehindTornTail() throws(BinaryLogError) -> Bool {
    if loss == nil {
      guard let tail = framer.tornTail else { return false }
      tornTail =
        "\(path): entry \(tail.number) at byte \(tail.offset) is truncated after "
        + "\(tail.bytes.count) bytes: skipped"
      guard skipsDamage else { return false }
      loss = BinaryLogError(
        path: path, entry: tail.number, offset: tail.offset,
        reason: "truncated")
    }
    if framer.goOn() { return true }
    guard let loss, tornTail == nil else { return false }
    if !hasFound { throw failure(loss) }
    damage.append("\(loss): the rest of the file is skipped")
    return false
  }
}

extension BinaryLogReader.Entry {
  /// Whether it is one for sure: others may decode as one of which next to nothing is set.
  var isPlausible: Bool { value.callId != 0 && value.type != .unknown }
}
