/// Returns the offset of the first character of `text` that is not in Unicode normalization form C,
/// or nil.
///
/// The standard library compares strings in normalized form but does not provide that form. This
/// function therefore checks the definition (UAX #15): no canonical singleton or composition
/// exclusion, marks in canonical order, no pair that composes. Text in form C always passes. A
/// letter also passes if a mark above it precedes a mark below it.
func offsetOfDenormalized(in text: Substring) -> Int? {
  if text.utf8.allSatisfy({ $0 < 0x80 }) { return nil }
  return text.enumerated().first { isDenormalized($0.element) }?.offset
}

/// Composition never crosses the boundary of a character (grapheme cluster).
private func isDenormalized(_ character: Character) -> Bool {
  var starter: UnicodeScalar?
  var lastClass: UInt8 = 0
  for scalar in character.unicodeScalars {
    let properties = scalar.properties
    if properties.isFullCompositionExclusion { return true }
    let combiningClass = properties.canonicalCombiningClass.rawValue
    if combiningClass != 0, lastClass > combiningClass { return true }
    // A mark of the same class in between blocks composition with the starter.
    if let starter, combiningClass == 0 ? lastClass == 0 : combiningClass > lastClass,
      composes(starter, scalar)
    {
      return true
    }
    if combiningClass == 0 { starter = scalar }
    lastClass = combiningClass
  }
  return false
}

/// Whether a character is canonically equivalent to this pair. Composites are in the blocks for
/// Latin, Greek and Cyrillic, in their extensions from U+1E00, among the mathematical operators,
/// and in the block of their starter.
private func composes(_ first: UnicodeScalar, _ second: UnicodeScalar) -> Bool {
  if (0x1161...0x1175).contains(second.value) { return (0x1100...0x1112).contains(first.value) }
  if (0x11a8...0x11c2).contains(second.value) {
    return (0xac00...0xd7a3).contains(first.value) && (first.value - 0xac00) % 28 == 0
  }
  let isMark =
    second.properties.canonicalCombiningClass != .notReordered
    || second.properties.generalCategory == .spacingMark
    || second.properties.generalCategory == .nonspacingMark
  guard isMark else { return false }
  var pair = String(first)
  pair.unicodeScalars.append(second)
  let block = first.value & ~0xff
  let ranges = [0xc0..<0x600, 0x1e00..<0x2000, 0x2190..<0x2300, block..<(block + 0x100)]
  return ranges.contains { range in
    range.contains { value in
      guard let scalar = UnicodeScalar(UInt32(value)),
        !scalar.properties.isFullCompositionExclusion
      else { return false }
      return String(scalar) == pair
    }
  }
}
