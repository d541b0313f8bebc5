import Testing

@testable import RecordingAnalysis

@Suite struct MessageTypesTests {
  @Test func findsTheCompleteFieldsOfATruncatedMessage() {
    // A varint, a string, 32 and 64 bits, and a string of a long length.
    let fields: [[UInt8]] = [
      [8, 0x96, 1], [0x12, 2, 0x61, 0x62], [0x1d, 1, 2, 3, 4], [0x21, 1, 2, 3, 4, 5, 6, 7, 8],
      [0x82, 1, 0x81, 1] + [UInt8](repeating: 7, count: 129),
    ]
    let bytes = fields.flatMap { $0 }
    var ends = [0]
    for field in fields { ends.append((ends.last ?? 0) + field.count) }
    for count in 0...bytes.count {
      let end = ends.last { $0 <= count } ?? 0
      #expect(Array(bytes.prefix(count)).wholeFields == Array(bytes.prefix(end)), "\(count)")
    }
  }

  @Test(
    arguments: [
      [0x0b, 8, 1, 0x0c], [0x0c], [0x0e], [0, 0], [0x80],
      [0x12] + [UInt8](repeating: 0xff, count: 9) + [1],
      [0x12] + [UInt8](repeating: 0xff, count: 8) + [0x7f],
    ] as [[UInt8]])
  func invalidFieldsAreDropped(bytes: [UInt8]) {
    #expect(bytes.wholeFields == [])
    #expect(([8, 1] + bytes).wholeFields == [8, 1])
  }

  @Test(
    arguments: [
      ([8, 1, 0x12, 1, 0x61], "a"), ([0x12, 1, 0x61, 0x1a, 1, 0x63, 0x12, 1, 0x62], "b"),
      ([0x12, 0], ""), ([0x12, 1, 0x61, 0x10, 1], nil), ([0x1a, 1, 0x61], nil), ([], nil),
      ([0x12, 1, 0xff], nil), ([0x12, 1, 0x61, 0x12, 2, 0x62], nil),
      ([0x12, 1, 0x61, 0x0b, 0x0c], nil),
    ] as [([UInt8], String?)])
  func textOfAFieldIsFoundWithoutDecoding(bytes: [UInt8], text: String?) {
    #expect(bytes.text(of: 2) == text)
  }
}
