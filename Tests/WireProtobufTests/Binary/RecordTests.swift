import TestSupport
import Testing

@testable import WireProtobuf

/// Runs of records are decoded and encoded together, except where something breaks the run.
@Suite struct RecordTests {
  static func point(_ x: Double, _ y: Double) -> [UInt8] {
    Repeated(points: [Point(x: x, y: y)]).serializedBytes()
  }

  @Test(arguments: [0, 1, 2, 3, 100])
  func runsRoundTrip(_ count: Int) throws {
    let points = (0..<count).map { Point(x: Double($0) + 0.5, y: -Double($0) - 1) }
    let bytes = Repeated(points: points).serializedBytes()
    #expect(bytes.count == 20 * count)
    let decoded = try Repeated(serializedBytes: bytes)
    #expect(decoded.points == points)
    #expect(decoded.serializedBytes() == bytes)
  }

  @Test func zerosBreakARun() throws {
    let points = [
      Point(x: 1, y: 2), Point(x: 0, y: 2), Point(x: 3, y: 0), Point(), Point(x: 1, y: 1),
    ]
    let bytes = Repeated(points: points).serializedBytes()
    #expect(bytes.count == 20 + 11 + 11 + 2 + 20)
    #expect(try Repeated(serializedBytes: bytes).points == points)
  }

  @Test func negativeZeroIsWritten() throws {
    let bytes = Self.point(-0.0, 1)
    #expect(bytes.count == 20)
    #expect(try Repeated(serializedBytes: bytes).points.first?.x.sign == .minus)
  }

  @Test func fieldsInAnotherOrderBreakARun() throws {
    let swapped = hex("5A 12 11 0000000000000040 09 000000000000F03F")
    let bytes = Self.point(5, 6) + swapped + Self.point(7, 8)
    let message = try Repeated(serializedBytes: bytes)
    #expect(message.points == [Point(x: 5, y: 6), Point(x: 1, y: 2), Point(x: 7, y: 8)])
  }

  @Test func otherFieldsOfTheSameSizeBreakARun() throws {
    // As long as a record and with the same first tag, but the second tag is of another field.
    let message = try Repeated(
      serializedBytes: Self.point(5, 6) + hex("5A 12 09 000000000000F03F 19 0000000000000040"))
    #expect(message.points == [Point(x: 5, y: 6), Point(x: 1)])
    #expect(message.serializedBytes().count == 20 + 20)
  }

  @Test func truncatedLastRecordIsRejected() throws {
    let bytes = Self.point(1, 2) + Self.point(3, 4)
    for count in 21..<40 {
      #expect(throws: DecodingError.self) { try Repeated(serializedBytes: Array(bytes[..<count])) }
    }
  }

  @Test func singularOccurrencesAreMerged() throws {
    let bytes = hex("2A 09 09 000000000000F03F 2A 09 11 0000000000000040")
    #expect(try Optionals(serializedBytes: bytes).point == Point(x: 1, y: 2))
  }
}
