import WireProtobuf
import WireSystem

/// The calls of a binary log.
package struct RecordedCalls: Hashable, Sendable {
  /// The calls in the order of their first entries.
  package var calls: [RecordedCall]
  /// Messages for the user about the parts of the log that were skipped.
  package var warnings: [String]

  /// The maximum total size of the files in bytes.
  static let sizeLimit = 1 << 30
}

extension RecordedCalls {
  /// Reads a complete log. Damaged parts become warnings.
  ///
  /// - Throws: ``BinaryLogError`` if the file cannot be read, has no entry or is larger than 1 GiB.
  init(path: String) throws(BinaryLogError) {
    try self.init(path: path, sizeLimit: Self.sizeLimit)
  }

  init(path: String, sizeLimit: Int) throws(BinaryLogError) {
    let file = try mapError(LocalFile(path)) { (error: IOError) in
      BinaryLogError(path: path, reason: error.code.description)
    }
    try self.init([BinaryLogSource(path: path, file)], sizeLimit: sizeLimit)
  }

  /// Reads several logs as one, ordered by their first entries, such as the files of a rotated set.
  ///
  /// - Throws: ``BinaryLogError``, as ``init(path:)`` does.
  package init(_ sources: [BinaryLogSource]) throws(BinaryLogError) {
    try self.init(sources, sizeLimit: Self.sizeLimit)
  }

  private init(_ sources: [BinaryLogSource], sizeLimit: Int) throws(BinaryLogError) {
    let logs = BinaryLogSequence(sources, skipsDamage: true)
    var assembler = CallAssembler()
    var isFirst = true
    while let entry = try logs.next() {
      if isFirst, let large = Self.excess(sources, sizeLimit) { throw large }
      isFirst = false
      assembler.takeWarnings(of: logs)
      guard logs.offset + entry.offset < sizeLimit else {
        throw Self.tooLarge(logs.path, sizeLimit)
      }
      try assembler.add(entry, of: logs.path)
    }
    assembler.takeWarnings(of: logs)
    calls = assembler.calls
    warnings = assembler.warnings
    let more = assembler.warningCount - warnings.count
    if more > 0 { warnings.append("\(more) more warnings of this kind") }
  }

  /// Returns an error if the files on disk are too large to load, otherwise nil.
  private static func excess(_ sources: [BinaryLogSource], _ sizeLimit: Int) -> BinaryLogError? {
    var size = 0
    for source in sources {
      size += source.file.size ?? 0
      if size > sizeLimit { return tooLarge(source.path, sizeLimit) }
    }
    return nil
  }

  private static func tooLarge(_ path: String, _ sizeLimit: Int) -> BinaryLogError {
    BinaryLogError(
      path: path,
      reason:
        "larger than \(sizeLimit >> 20) MiB, the limit for replaying",
      hint: "record with --record-size 64MiB, and replay some of the files")
  }
}
