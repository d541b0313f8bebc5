import WireProtobuf

/// Reads a gRPC binary log entry by entry: `grpc.binarylog.v1.GrpcLogEntry` messages, each after a
/// big-endian 32-bit length, optionally compressed with gzip.
///
/// It holds one entry at a time, regardless of the size of the file.
package struct BinaryLogReader: ~Copyable {
  /// An entry with its position in the file.
  package struct Entry: Hashable, Sendable {
    /// The number of the entry, from 1. A skipped part counts as one entry.
    var number: Int
    /// The offset of its length prefix, in bytes from the start of the file.
    var offset: Int
    package var value: BinlogGrpcLogEntry
  }

  /// The maximum length of an entry: 64 MiB. A greater length means that the file is not a binary
  /// log.
  static let entryLimit = 64 << 20

  /// The number of bytes without an entry after which the file is not a binary log: 16 MiB.
  private static let searchLimit = 16 << 20

  private let path: String
  private let file: UnpackedFile
  private let skipsDamage: Bool
  /// The number of bytes after an entry that are needed to tell whether another entry follows.
  private var lookahead: Int { skipsDamage ? EntryFramer.recognizableLength : 0 }
  private var isAtEnd = false
  private var framer = EntryFramer(limit: entryLimit)
  /// The error at which the position of the next entry was lost; nil if it is known.
  private var pendingDamage: BinaryLogError?
  /// The number of bytes searched for entries in damaged parts without success.
  private var wastedBytes = 0
  private var hasFoundEntry = false

  /// A message about the truncated last entry, for example after a crash. Set at the end of the
  /// file.
  private(set) var truncatedTail: String?

  /// The end of the last entry that was read, in bytes from the start of the file.
  var end: Int { framer.offset }

  /// Whether the file is known to be compressed with gzip. Offsets then refer to the decompressed
  /// data.
  var isPacked: Bool { file.isPacked }

  /// Messages about skipped parts, with their positions, since the caller last emptied the array.
  var damage: [String] = []

  /// - Parameter skipsDamage: whether to continue after a corrupt part, such as an entry that a
  ///   crash truncated before another process appended to the file. See ``damage``.
  init(_ source: BinaryLogSource, skipsDamage: Bool = false) {
    path = source.path
    file = UnpackedFile(source)
    self.skipsDamage = skipsDamage
    framer.lookahead = lookahead
  }

  /// Reads the next entry; nil at the end of the file.
  ///
  /// - Throws: ``BinaryLogError`` if the file cannot be read or an entry is corrupt; no further
  ///   entry can then be read. If `skipsDamage` is set, only a file without any entry is an error.
  mutating func next() throws(BinaryLogError) -> Entry? {
    while true {
      while let frame = try nextFrame() {
        do throws(InvalidEntry) {
          let entry = try decode(frame)
          if skipsDamage, !framer.isFollowed, let inner = firstEntry(inside: frame) { return inner }
          resume(at: frame)
          return entry
        } catch {
          wastedBytes += pendingDamage == nil ? 0 : error.cost
          try handleDamage(
            frame,
            BinaryLogError(
              path: path, entry: frame.number, offset: frame.offset, reason: error.reason))
        }
      }
      if !isAtEnd {
        let bytes = try file.next()
        if end == 0, pendingDamage == nil, !framer.hasBytes, let kind = FileKind(bytes) {
          throw BinaryLogError(
            path: path, entry: 1, offset: 0, reason: "the content looks like \(kind.name)",
            isOtherFile: true, isJSON: kind.isJSON, hint: kind.hint(path))
        }
        isAtEnd = bytes.isEmpty
        if isAtEnd, let reason = file.damage {
          guard hasFoundEntry || framer.hasFrame else {
            throw BinaryLogError(path: path, reason: reason, hint: "copy the file again")
          }
          damage.append("\(path): \(reason): the rest is skipped")
        }
        framer.append(bytes)
        framer.lookahead = isAtEnd || file.isWaiting ? 0 : lookahead
        // Otherwise a file without an end would be searched forever.
        if let pendingDamage, isNotALog(framer.offset) { throw noEntryFound(pendingDamage) }
      } else if try !continueAfterTruncatedTail() {
        return nil
      }
    }
  }

  /// Whether the next entry has not been written yet.
  var isWaiting: Bool { !isAtEnd && !framer.hasFrame && file.isWaiting }

  private mutating func nextFrame() throws(BinaryLogError) -> EntryFramer.Frame? {
    while true {
      do {
        return try framer.next()
      } catch {
        var reason = "length \(error.length) is not between 1 and \(Self.entryLimit)"
        if !hasFoundEntry {
          reason = "the first entry has a length of \(error.length) bytes"
        } else if !skipsDamage {
          reason += "; the file is corrupt from here on"
        }
        let failure = BinaryLogError(
          path: path, entry: error.number, offset: error.offset, reason: reason)
        try handleDamage(nil, failure)
      }
    }
  }

  private func decode(_ frame: EntryFramer.Frame) throws(InvalidEntry) -> Entry {
    let value: BinlogGrpcLogEntry
    do {
      value = try BinlogGrpcLogEntry(serializedBytes: frame.bytes)
    } catch {
      throw InvalidEntry(reason: "\(error)", cost: error.byteOffset + 1)
    }
    let entry = Entry(number: frame.number, offset: frame.offset, value: value)
    // Arbitrary bytes may decode without an error.
    guard pendingDamage == nil || entry.isPlausible else {
      throw InvalidEntry(reason: "not an entry", cost: frame.bytes.count)
    }
    return entry
  }

  // MARK: Damage

  /// Whether the search has read too much, because each of many candidates may be long.
  private var hasExceededSearchLimit: Bool { wastedBytes > 4 * Self.entryLimit }

  /// Bytes that are not an entry.
  private struct InvalidEntry: Error {
    var reason: String
    /// The number of bytes that were read.
    var cost: Int
  }

  /// Whether a binary log would have had an entry before this offset.
  private func isNotALog(_ offset: Int) -> Bool { !hasFoundEntry && offset > Self.searchLimit }

  private func noEntryFound(_ pendingDamage: BinaryLogError) -> BinaryLogError {
    var error = pendingDamage.ofOtherFile
    error.reason = "no entry found in the first \(Self.searchLimit >> 20) MiB"
    return error
  }

  /// Returns the error to report for a damaged place.
  private func failure(_ error: BinaryLogError) -> BinaryLogError {
    hasFoundEntry ? error : error.ofOtherFile
  }

  private mutating func resume(at frame: EntryFramer.Frame) {
    hasFoundEntry = true
    guard let pendingDamage, let start = pendingDamage.offset else { return }
    damage.append(
      pendingDamage.warning("the \(frame.offset - start) bytes before the next entry are skipped"))
    self.pendingDamage = nil
    truncatedTail = nil
    framer.endSearch()
  }

  /// Returns the first entry that starts inside a frame, or nil without any change.
  ///
  /// The length of a truncated entry covers entries that a process appended after it, and the
  /// result may still decode.
  private mutating func firstEntry(inside frame: EntryFramer.Frame) -> Entry? {
    let before = framer
    framer.lookahead = 0
    framer.startSearch(after: frame)
    let end = frame.offset + EntryFramer.prefixLength + frame.bytes.count
    while !hasExceededSearchLimit, let inner = try? framer.next(), inner.offset < end {
      do throws(InvalidEntry) {
        let entry = try decode(inner)
        if entry.isPlausible {
          framer.lookahead = before.lookahead
          if pendingDamage == nil {
            pendingDamage = BinaryLogError(
              path: path, entry: frame.number, offset: frame.offset, reason: "truncated")
          }
          resume(at: inner)
          return entry
        }
        wastedBytes += inner.bytes.count
      } catch {
        wastedBytes += error.cost
      }
      framer.startSearch(after: inner)
    }
    framer = before
    return nil
  }

  private mutating func handleDamage(
    _ frame: EntryFramer.Frame?, _ error: BinaryLogError
  ) throws(BinaryLogError) {
    if isNotALog(error.offset ?? 0) { throw noEntryFound(pendingDamage ?? error) }
    guard skipsDamage, !hasExceededSearchLimit else { throw failure(pendingDamage ?? error) }
    if pendingDamage == nil { pendingDamage = error }
    framer.startSearch(after: frame)
  }

  /// At the end of the file, returns whether another entry may follow a truncated one.
  private mutating func continueAfterTruncatedTail() throws(BinaryLogError) -> Bool {
    if pendingDamage == nil {
      guard let tail = framer.truncatedTail else { return false }
      truncatedTail =
        "\(path): entry \(tail.number) at byte \(tail.offset) is truncated after "
        + "\(tail.bytes.count) bytes: skipped"
      guard skipsDamage else { return false }
      pendingDamage = BinaryLogError(
        path: path, entry: tail.number, offset: tail.offset,
        reason: "truncated")
    }
    if framer.resumeSearch() { return true }
    guard let pendingDamage, truncatedTail == nil else { return false }
    if !hasFoundEntry { throw failure(pendingDamage) }
    damage.append(pendingDamage.warning("the rest of the file is skipped"))
    return false
  }
}

extension BinaryLogReader.Entry {
  /// Whether this is certainly an entry: other bytes may decode as one with almost no field set.
  var isPlausible: Bool { value.callId != 0 && value.type != .unknown }
}
