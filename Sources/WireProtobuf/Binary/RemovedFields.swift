extension [UInt8] {
  /// Returns the message in binary form without the fields with these numbers.
  package func removing(fields numbers: [Int]) -> [UInt8] {
    var kept: [UInt8] = []
    kept.reserveCapacity(count)
    for record in WireRecord.all(in: self[...]) where !numbers.contains(record.number) {
      kept += self[record.start..<record.end]
    }
    return kept
  }
}
