import Testing

@testable import FleetEngineAPI

@Suite struct S2PolylineErrorTests {
  static let base64: [(String, PolylineError)] = [
    ("AhYC!CPlXZ6GAJABAA==", PolylineError(.notBase64, .character(4))),
    ("AhYCE CPlXZ6GAJABAA==", PolylineError(.notBase64, .character(5))),
    ("AhYCEé", PolylineError(.notBase64, .character(5))),
    ("AhYCE", PolylineError(.incompleteBase64, .character(4))),
    ("AhYCE===", PolylineError(.incompleteBase64, .character(4))),
    ("=", PolylineError(.wrongPadding, .character(0))),
    ("AhYC=", PolylineError(.wrongPadding, .character(4))),
    ("AhYCEC=", PolylineError(.wrongPadding, .character(7))),
    ("AhYCEC===", PolylineError(.wrongPadding, .character(8))),
    ("AhYCECP==", PolylineError(.wrongPadding, .character(8))),
    ("AhYCEC=A", PolylineError(.wrongPadding, .character(7))),
  ]

  @Test(arguments: base64) func reportsThePositionOfInvalidBase64(
    _ text: String, _ error: PolylineError
  ) {
    #expect(throws: error) { try S2Polyline.decode(text) }
  }

  static let one: [UInt8] = [2, 22, 2, 16, 35, 229, 93, 158, 134, 0, 144, 1, 0]

  static let bytes: [([UInt8], PolylineError)] = [
    ([], PolylineError(.truncated, .byte(0))),
    ([0], PolylineError(.unknownVersion(0), .byte(0))),
    ([3, 0, 0, 0, 0], PolylineError(.unknownVersion(3), .byte(0))),
    // Version 1.
    ([1, 0, 0, 0], PolylineError(.truncated, .byte(4))),
    ([1, 0, 0, 0, 0, 9], PolylineError(.trailingBytes(1), .byte(5))),
    (
      [1, 255, 255, 255, 255] + exact(1, 0, 0),
      PolylineError(.tooManyPoints(4_294_967_295), .byte(1))
    ),
    ([1, 2, 0, 0, 0] + exact(1, 0, 0), PolylineError(.tooManyPoints(2), .byte(1))),
    ([1, 2, 0, 0, 0] + exact(0, 0, 1) + exact(0, 0, 0), PolylineError(.notUnitVector, .byte(29))),
    ([1, 1, 0, 0, 0] + exact(.nan, 0, 1), PolylineError(.notUnitVector, .byte(5))),
    ([1, 1, 0, 0, 0] + exact(0, .infinity, 1), PolylineError(.notUnitVector, .byte(5))),
    ([1, 1, 0, 0, 0] + exact(1e200, 0, 0), PolylineError(.notUnitVector, .byte(5))),
    // Version 2.
    ([2], PolylineError(.truncated, .byte(1))),
    ([2, 31, 0, 0], PolylineError(.levelTooHigh(31), .byte(1))),
    ([2, 22], PolylineError(.truncated, .byte(2))),
    ([2, 22, 255, 255, 255, 255, 16], PolylineError(.numberTooLarge, .byte(2))),
    ([2, 22, 255, 255, 255, 255, 15], PolylineError(.tooManyPoints(4_294_967_295), .byte(2))),
    ([2, 22, 11] + one.dropFirst(3), PolylineError(.tooManyPoints(11), .byte(2))),
    ([2, 22, 1, 5, 0], PolylineError(.wrongFaceRun, .byte(3))),
    ([2, 22, 1, 128, 128, 128, 128, 48, 0], PolylineError(.wrongFaceRun, .byte(3))),
    (
      [2, 22, 1] + [UInt8](repeating: 255, count: 9) + [2, 0],
      PolylineError(.numberTooLarge, .byte(3))
    ),
    ([2, 22, 2, 10, 35, 229, 93, 158, 134, 0], PolylineError(.truncated, .byte(10))),
    ([2, 22, 1, 10, 35, 229, 93], PolylineError(.truncated, .byte(7))),
    ([2, 22, 1, 10, 0, 0, 0, 0, 0, 16, 0], PolylineError(.cellOffFace, .byte(4))),
    // A step of -1 column from column 0.
    ([2, 1, 2, 16, 0, 0, 1, 0], PolylineError(.cellOffFace, .byte(6))),
    (Array(one.dropLast()), PolylineError(.truncated, .byte(12))),
    (one.dropLast() + [3], PolylineError(.tooManyPoints(3), .byte(12))),
    (one.dropLast() + [1, 2] + exact(0, 0, 1), PolylineError(.wrongIndex(2), .byte(13))),
    (one.dropLast() + [1, 1] + exact(0, 0, 2), PolylineError(.notUnitVector, .byte(14))),
    (one.dropLast() + [1, 1, 0, 0, 0], PolylineError(.truncated, .byte(17))),
    (one + [0], PolylineError(.trailingBytes(1), .byte(13))),
  ]

  static func exact(_ x: Double, _ y: Double, _ z: Double) -> [UInt8] {
    [x, y, z].flatMap { number in
      (0..<8).map { UInt8(truncatingIfNeeded: number.bitPattern >> (8 * UInt64($0))) }
    }
  }

  @Test(arguments: bytes) func reportsThePositionOfInvalidBytes(
    _ bytes: [UInt8], _ error: PolylineError
  ) {
    #expect(throws: error) { try S2Polyline.decode(PolylineBase64.encode(bytes)) }
  }

  @Test func descriptionsAreReadable() {
    #expect(
      "\(PolylineError(.notBase64, .character(4)))"
        == "not a base64 character, at character 4 of the text")
    #expect(
      "\(PolylineError(.unknownVersion(3), .byte(0)))"
        == "unknown version 3 of the S2 encoding, expected 1 or 2, at byte 0 of the decoded base64")
  }
}

@Suite struct S2PolylineFormTests {
  @Test func readsBothAlphabetsPaddedOrNot() throws {
    let text = try #require(
      try PolylineVector.s2().map(\.text).first { text in
        text.contains("-") && text.contains("_") && text.hasSuffix("==")
      })
    let points = try S2Polyline.decode(text)
    let plain = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
    #expect(try S2Polyline.decode(plain) == points)
    #expect(try S2Polyline.decode(String(text.dropLast(2))) == points)
    #expect(try S2Polyline.decode(String(plain.dropLast(2))) == points)
  }

  /// As in Abseil, with which users of S2 decode base64.
  @Test func ignoresBitsAfterTheLastByte() throws {
    #expect(try S2Polyline.decode("AhYCECPlXZ6GAJABAB==").count == 2)
  }

  @Test func readsAnEmptyPolylineWithAndWithoutItsOffCenterCount() throws {
    #expect(try S2Polyline.decode("Ah4AAA==") == [])
    #expect(try S2Polyline.decode("Ah4A") == [])
  }

  @Test func faceRunMayExceedThePointCount() throws {
    var bytes = S2PolylineErrorTests.one
    bytes[3] = 16 + 6 * 9
    #expect(
      try S2Polyline.decode(PolylineBase64.encode(bytes))
        == S2Polyline.decode(PolylineBase64.encode(S2PolylineErrorTests.one)))
  }

  @Test func overflowingStepIsRejected() throws {
    // A step of 2^31 - 1 from column 1 wraps around to -2^31.
    let step = Self.varint(0x5555_5555_5555_5554)
    let bytes: [UInt8] = [2, 30, 2, 12] + [1, 0, 0, 0, 0, 0, 0, 0] + step + [0]
    #expect(throws: PolylineError(.cellOffFace, .byte(12))) {
      try S2Polyline.decode(PolylineBase64.encode(bytes))
    }
  }

  private static func varint(_ number: UInt64) -> [UInt8] {
    var (rest, bytes) = (number, [UInt8]())
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7f | 0x80))
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }
}
