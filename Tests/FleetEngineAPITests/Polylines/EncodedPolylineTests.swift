import Testing

@testable import FleetEngineAPI

@Suite struct EncodedPolylineTests {
  /// Google's example, and a route.
  static let samples: [PolylineVector] = [
    PolylineVector(
      text: "_p~iF~ps|U_ulLnnqC_mqNvxq`@",
      points: [
        S2PolylineTests.point(38.5, -120.2), S2PolylineTests.point(40.7, -120.95),
        S2PolylineTests.point(43.252, -126.453),
      ]),
    PolylineVector(text: "i_lcF~tchVhj@ciCwhAzlC", points: S2PolylineTests.samples[0].points),
  ]

  @Test(arguments: samples) func decodesAndEncodesGooglesExample(_ vector: PolylineVector) throws {
    #expect(try EncodedPolyline.decode(vector.text) == vector.points)
    #expect(try EncodedPolyline.encode(vector.points) == vector.text)
  }

  @Test func matchesOtherImplementations() throws {
    for vector in try PolylineVector.encoded() {
      let precision = vector.decimals == 6 ? EncodedPolyline.Precision.sixDecimals : .fiveDecimals
      #expect(try EncodedPolyline.decode(vector.text, precision: precision) == vector.points)
      #expect(try EncodedPolyline.encode(vector.points, precision: precision) == vector.text)
    }
  }

  @Test func emptyTextHasNoPoints() throws {
    #expect(try EncodedPolyline.decode("") == [])
    #expect(try EncodedPolyline.encode([]) == "")
  }

  static let invalid: [(String, PolylineError)] = [
    ("_p~iF~ps|U_ulLnnq>", PolylineError(.notEncodedPolyline, .character(17))),
    ("_p~iF~ps|U\u{7f}", PolylineError(.notEncodedPolyline, .character(10))),
    ("_p~iF ~ps|U", PolylineError(.notEncodedPolyline, .character(5))),
    ("_p~iF~ps|", PolylineError(.truncated, .character(9))),
    ("_p~iF", PolylineError(.truncated, .character(5))),
    ("_p~iF~ps|U~~~~~~A?", PolylineError(.outOfRange, .character(10))),
    ("_p~iF~ps|U~~~~~~C?", PolylineError(.numberTooLarge, .character(10))),
    ("_______?", PolylineError(.numberTooLarge, .character(0))),
    // 90.00001, 0 and 0, -180.00001.
    ("?" + "?" + "qkyjP?", PolylineError(.outOfRange, .character(2))),
    ("??" + "?bgsia@", PolylineError(.outOfRange, .character(2))),
  ]

  @Test(arguments: invalid) func reportsThePositionOfInvalidText(
    _ text: String, _ error: PolylineError
  ) {
    #expect(throws: error) { try EncodedPolyline.decode(text) }
  }

  @Test func rejectsInvalidCoordinates() {
    for (latitude, longitude) in [(-90.1, 0.0), (0, -180.1), (.nan, 0), (0, -.infinity)] {
      #expect(throws: PolylineError(.outOfRange, .point(0))) {
        try EncodedPolyline.encode([S2PolylineTests.point(latitude, longitude)])
      }
    }
  }
}
