// The generated `==` compares message fields as `==` of optionals and arrays does, but without
// copying the values.

extension Message {
  /// Whether two sub-messages are equal, or both unset.
  @inlinable
  public static func areEqual<M: Message>(_ a: M?, _ b: M?) -> Bool {
    bothOrNone(a, b) { $0 == $1 }
  }

  /// Whether two arrays of messages are equal.
  @inlinable
  public static func areEqual<M: Message>(_ a: [M], _ b: [M]) -> Bool {
    a.span.isIdentical(to: b.span) || allPairs(a.span, b.span) { $0 == $1 }
  }

  /// Whether two arrays of leaf messages are equal.
  @inlinable
  public static func areEqual<M: LeafMessage>(_ a: [M], _ b: [M]) -> Bool {
    // Equal values usually have equal bytes. If bytes differ (zeros of both signs, padding),
    // compare the values. NaN equals itself here, as in an array compared with itself.
    if a.span.isIdentical(to: b.span) { return true }
    if unsafe haveEqualBytes(a.span.bytes, b.span.bytes) { return true }
    return a == b
  }
}

@usableFromInline
func haveEqualBytes(_ a: RawSpan, _ b: RawSpan) -> Bool {
  guard a.byteCount == b.byteCount else { return false }
  let words = a.byteCount / 8
  var index = 0
  while index < words {
    // Eight words at a time, so that the compiler emits vector instructions.
    let stop = min(index + 8, words)
    var difference: UInt64 = 0
    while index < stop {
      difference |=
        unsafe a.unsafeLoadUnaligned(fromUncheckedByteOffset: index &* 8, as: UInt64.self)
        ^ b.unsafeLoadUnaligned(fromUncheckedByteOffset: index &* 8, as: UInt64.self)
      index &+= 1
    }
    if difference != 0 { return false }
  }
  for index in (words * 8)..<a.byteCount
  where unsafe a.unsafeLoad(fromUncheckedByteOffset: index, as: UInt8.self)
    != b.unsafeLoad(fromUncheckedByteOffset: index, as: UInt8.self)
  {
    return false
  }
  return true
}
