/// The calls of a binary log.
package struct RecordedCalls: Hashable, Sendable {
  /// In the order in which they began.
  package var calls: [RecordedCall]
  /// What of the log could not be used, for the user to know.
  package var warnings: [String]

  /// The most that is taken into memory, in bytes of the file.
  static let sizeLimit = 1 << 30
}

extension RecordedCalls {
  /// Reads a whole log. A last entry that was cut short is a warning.
  ///
  /// Throws when the file cannot be read, an entry is corrupt or the log is above 1 GiB.
  package init(path: String) throws(BinaryLogError) {
    try self.init(path: path, sizeLimit: Self.sizeLimit)
  }

  init(path: String, sizeLimit: Int) throws(BinaryLogError) {
    var reader = try BinaryLogReader(path: path)
    var assembler = CallAssembler()
    while let entry = try reader.next() {
      var failure = BinaryLogError(
        path: path, entry: entry.number, offset: entry.offset, reason: "")
      guard entry.offset < sizeLimit else {
        failure.reason = "the log goes on after \(sizeLimit >> 20) MiB: cut it into several"
        throw failure
      }
      do throws(CallAssembler.Defect) {
        try assembler.add(entry)
      } catch {
        failure.reason = error.reason
        throw failure
      }
    }
    calls = assembler.calls
    warnings = assembler.omissions.map { "\(path): \($0)" }
    let more = assembler.omissionCount - warnings.count
    if more > 0 { warnings.append("\(path): and \(more) more like that") }
    if let tail = reader.tornTail { warnings.append(tail) }
  }
}
