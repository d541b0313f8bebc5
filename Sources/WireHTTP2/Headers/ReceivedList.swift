import WireSystem

/// A header list and the octets from which it was made, to recognize an equal list.
struct ReceivedList {
  private struct Ends {
    var name: Int
    var value: Int
    var isSensitive: Bool
  }

  private(set) var fields: [HeaderField] = []
  private var octets: [UInt8] = []
  private var ends: [Ends] = []

  var count: Int { ends.count }

  mutating func removeAll() {
    guard !ends.isEmpty else { return }
    fields = []
    octets.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
  }

  mutating func removeAll(from index: Int) {
    guard index < count else { return }
    fields.removeSubrange(index...)
    octets.removeSubrange((index == 0 ? 0 : ends[index - 1].value)...)
    ends.removeSubrange(index...)
  }

  mutating func append(
    _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>, _ isSensitive: Bool
  ) {
    unsafe octets.append(contentsOf: name)
    let end = octets.count
    unsafe octets.append(contentsOf: value)
    ends.append(Ends(name: end, value: octets.count, isSensitive: isSensitive))
    if fields.isEmpty { fields.reserveCapacity(8) }
    fields.append(
      unsafe HeaderField(
        String(decoding: name, as: UTF8.self),
        String(decoding: value.trimmingSpace(), as: UTF8.self), isSensitive: isSensitive))
  }

  func has(
    _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>, _ isSensitive: Bool,
    at index: Int
  ) -> Bool {
    guard index < ends.count else { return false }
    let start = index == 0 ? 0 : ends[index - 1].value
    let end = ends[index]
    guard end.name - start == name.count, end.value - end.name == value.count,
      end.isSensitive == isSensitive
    else { return false }
    return unsafe octets.withUnsafeBytes { octets in
      let ownName = unsafe UnsafeRawBufferPointer(rebasing: octets[start..<end.name])
      let ownValue = unsafe UnsafeRawBufferPointer(rebasing: octets[end.name..<end.value])
      return unsafe areEqual(ownName, UnsafeRawBufferPointer(name))
        && areEqual(ownValue, UnsafeRawBufferPointer(value))
    }
  }
}

private func areEqual(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
  guard one.count == other.count else { return false }
  guard let left = one.baseAddress, let right = other.baseAddress else { return true }
  return unsafe memcmp(left, right, one.count) == 0
}

extension UnsafeBufferPointer<UInt8> {
  /// Removes the white space around a value, which is not part of it (RFC 9110 §5.5).
  fileprivate func trimmingSpace() -> Self {
    func isSpace(_ octet: UInt8) -> Bool { octet == UInt8(ascii: " ") || octet == 0x09 }
    var (start, end) = (0, count)
    while start < end, unsafe isSpace(self[start]) { start += 1 }
    while start < end, unsafe isSpace(self[end - 1]) { end -= 1 }
    return unsafe end - start == count ? self : Self(rebasing: self[start..<end])
  }
}
