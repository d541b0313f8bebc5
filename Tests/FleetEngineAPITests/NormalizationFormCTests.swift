import Testing

@testable import FleetEngineAPI

@Suite struct NormalizationFormCTests {
  @Test(arguments: [
    "plain", "é", "Å", "q\u{323}", "x\u{301}", "각", "\u{5D0}\u{5B0}", "が", "कि",
    "\u{1F469}\u{200D}\u{1F680}",
    "\u{1E69}",  // s with dot below and dot above
    "a\u{200D}\u{301}",  // a joiner between keeps them apart
  ])
  func acceptsNormalizedText(text: String) {
    #expect(offsetOfDenormalized(in: text[...]) == nil)
  }

  @Test(arguments: [
    ("ae\u{301}", 1),  // e, acute
    ("\u{212B}", 0),  // ANGSTROM SIGN, a singleton
    ("\u{2126}m", 0),  // OHM SIGN
    ("ab\u{F900}", 2),  // a CJK compatibility ideograph
    ("\u{958}", 0),  // excluded from composition
    ("q\u{307}\u{323}", 0),  // dot below sorts before dot above
    ("s\u{323}\u{307}", 0),
    ("\u{1100}\u{1161}", 0),  // Hangul jamo
    ("\u{AC00}\u{11A8}", 0),
    ("\u{304B}\u{3099}", 0),  // kana with a voicing mark
    ("x=\u{338}", 1),
    ("\u{EA}\u{323}", 0),  // ê, dot below: Vietnamese as some keyboards write it
  ])
  func findsDenormalizedCharacter(text: String, offset: Int) {
    #expect(offsetOfDenormalized(in: text[...]) == offset)
  }
}
