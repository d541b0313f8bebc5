import Testing

@testable import CommandShell

@Suite struct UnitsTests {
  @Test(arguments: [
    (0.0, "0 m"), (842, "842 m"), (999.4, "999 m"), (999.6, "1.0 km"), (8_734, "8.7 km"),
    (99_949, "99.9 km"), (99_951, "100 km"), (123_456, "123 km"), (-5, "-5 m"), (.nan, "nan km"),
    (.infinity, "inf km"),
  ])
  func formatsDistances(meters: Double, text: String) {
    #expect(Units.distance(meters: meters) == text)
  }

  @Test(
    arguments: [
      (0, "0 s"), (59, "59 s"), (60, "1 min"), (297, "4 min 57 s"), (7_500, "2 h 5 min"),
      (86_400, "1 d"), (UInt64.max, "213503982334601 d 7 h"),
    ] as [(UInt64, String)])
  func formatsDurations(seconds: UInt64, text: String) {
    #expect(Units.duration(seconds: seconds) == text)
  }

  @Test(
    arguments: [
      (2, 500_000_000, "2.5 s"), (0, 304_650_000, "0.305 s"), (180, 0, "3 min"), (-2, 0, "-2 s"),
      (-90, 0, "-1 min 30 s"), (Int64.min, 0, "-106751991167300 d 15 h"),
    ] as [(Int64, Int32, String)])
  func formatsSeconds(seconds: Int64, nanos: Int32, text: String) {
    #expect(Units.seconds(seconds, nanos: nanos) == text)
  }

  @Test func shortensDurationsThatAreLongerThanInt64Seconds() {
    #expect(Units.seconds(.seconds(1e19)) == "106751991167300 d 15 h")
    #expect(Units.seconds(.seconds(-1e19)) == "-106751991167300 d 15 h")
  }

  @Test(arguments: [
    (37.774821, 6, "37.774821"), (-122.4, 6, "-122.400000"), (0.05, 1, "0.1"), (-0.01, 1, "0.0"),
    (1e300, 1, "1e+300"),
  ])
  func formatsFixedDecimals(value: Double, decimals: Int, text: String) {
    #expect(Units.fixed(value, decimals: decimals) == text)
  }

  @Test(arguments: [
    ("2.500", "2.5"), ("2.000", "2"), ("100", "100"), ("1.5e-10", "1.5e-10"),
    ("2.5e+20", "2.5e+20"),
  ])
  func trimsZeros(number: String, text: String) {
    #expect(Units.trimmed(number) == text)
  }

  @Test(arguments: [
    (0.0, "N"), (35, "NE"), (22, "N"), (180, "S"), (350, "N"), (-90, "W"), (725, "N"), (.nan, ""),
  ])
  func namesTheCompassPoint(degrees: Double, point: String) {
    #expect(Units.compassPoint(degrees: degrees) == point)
  }
}
