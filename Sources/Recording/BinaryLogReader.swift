import WireIO
import WireProtobuf

/// Reads a gRPC binary log entry by entry: `grpc.binarylog.v1.GrpcLogEntry` messages, a big-endian
/// 32-bit length before each.
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
  package static let entryLimit = 64 << 20

  private let path: String
  private let file: LocalFile
  private var framer = EntryFramer(limit: entryLimit)

  /// Set at the end of a file whose last entry was cut short, as by a crash while it was written:
  /// what is missing, in words. What came before it is whole.
  package private(set) var tornTail: String?

  /// Throws when the file cannot be opened.
  package init(path: String) throws(BinaryLogError) {
    self.path = path
    file = try Self.reading(path) { () throws(IOError) in try LocalFile(path) }
  }

  private static func reading<Value>(
    _ path: String, _ body: () throws(IOError) -> Value
  ) throws(BinaryLogError) -> Value {
    do throws(IOError) {
      return try body()
    } catch {
      throw BinaryLogError(path: path, reason: error.code.description)
    }
  }

  /// The next entry, or nil at the end of the file.
  ///
  /// Throws when the file cannot be read or an entry is corrupt; nothing after it can be found.
  package mutating func next() throws(BinaryLogError) -> Entry? {
    while true {
      if let frame = try nextFrame() { return try decode(frame) }
      let bytes = try Self.reading(path) { () throws(IOError) in try file.next() }
      guard bytes.isEmpty else {
        framer.append(bytes)
        continue
      }
      if let tail = framer.tornTail {
        tornTail =
          "\(path): entry \(tail.number) at byte \(tail.offset) is cut short after "
          + "\(tail.bytes.count) bytes: left out"
      }
      return nil
    }
  }

  private mutating func nextFrame() throws(BinaryLogError) -> EntryFramer.Frame? {
    do {
      return try framer.next()
    } catch {
      let advice =
        error.number == 1 ? "this is no gRPC binary log" : "the file is corrupt from here on"
      throw BinaryLogError(
        path: path, entry: error.number, offset: error.offset,
        reason: "length \(error.length) is not between 1 and \(Self.entryLimit): \(advice)")
    }
  }

  private func decode(_ frame: EntryFramer.Frame) throws(BinaryLogError) -> Entry {
    do {
      let value = try BinlogGrpcLogEntry(serializedBytes: frame.bytes)
      return Entry(number: frame.number, offset: frame.offset, value: value)
    } catch {
      throw BinaryLogError(
        path: path, entry: frame.number, offset: frame.offset, reason: "\(error)")
    }
  }
}
