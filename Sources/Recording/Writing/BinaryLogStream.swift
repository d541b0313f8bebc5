import WireSystem

/// A pipe or a device to which a binary log is written.
struct BinaryLogStream: BinaryLogOutput {
  private let output: DirectOutput
  /// How long a reader may be slow before entries are dropped, in milliseconds.
  private let patience: Int32
  /// The failure after which an entry is incomplete. Readers could not decode entries after it.
  private var damage: IOError?

  init(_ output: DirectOutput, patience: Int32 = 5_000) {
    self.output = output
    self.patience = patience
  }

  var firstEntryTime: Int64? { nil }
  var size: Int { 0 }
  var highestCallID: UInt64 { 0 }
  var warnings: [String] { [] }
  var privacyWarning: String? { nil }
  var startFailure: IOError? { nil }

  mutating func append(_ entries: ArraySlice<UInt8>, at now: Int64) throws(IOError) {
    if let damage { throw damage }
    let (count, failure) = output.write(entries, patience: patience)
    guard let failure else { return }
    if count > 0 { damage = failure }
    throw failure
  }

  func rotate() {}
}
