import WireSystem

/// The calls of a binary log.
package struct RecordedCalls: Hashable, Sendable {
  /// The calls in the order of their first entries.
  package var calls: [RecordedCall]
  /// Messages for the user about the parts of the log that were skipped.
  package var warnings: [String]
}

extension RecordedCalls {
  /// Reads logs as one, ordered by their first entries, such as the files of a rotated set. Damaged
  /// parts become warnings.
  ///
  /// - Parameter sizeLimit: the maximum total size of the files in bytes.
  /// - Throws: ``BinaryLogError`` if a file cannot be read, or they have no entry or are larger.
  package init(
    _ sources: [BinaryLogSource], sizeLimit: Int = 1 << 30
  ) throws(BinaryLogError) {
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
      path: path, reason: "larger than \(sizeLimit >> 20) MiB, the limit for replaying",
      hint: "record with --record-size 64MiB, and replay some of the files")
  }
}
