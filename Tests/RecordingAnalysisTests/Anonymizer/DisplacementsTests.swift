import Testing
import Tripwire

@testable import RecordingAnalysis

@Suite struct DisplacementsTests {
  /// In meters.
  private static let radius = 6_371_010.0

  @Test(arguments: [
    // Coordinates on decimal grids, such as the five decimals of encoded polylines.
    (LatLng(latitude: 48.13721, longitude: 11.57513), 2.5),
    (LatLng(latitude: 48.137_214_3, longitude: 11.575), 2.5),
    (LatLng(latitude: 48.1372, longitude: 11.5751), 11.12),
    (LatLng(latitude: -48.13720_000_01, longitude: -11.57510_000_01), 11.12),
    (LatLng(latitude: 48.1370, longitude: 11.5751), 11.12),
    (LatLng(latitude: 48.137, longitude: 11.575), 111.2),
    (LatLng(latitude: 48, longitude: 11), 111.2),
    // 48° 8' 14", 11° 34' 31", exact and with five decimals; and 48° 8.23', 11° 34.57'.
    (LatLng(latitude: 48 + 494 / 3_600.0, longitude: 11 + 2_071 / 3_600.0), 30.89),
    (LatLng(latitude: 48.13722, longitude: 11.57528), 30.89),
    (LatLng(latitude: 48 + 8.23 / 60, longitude: 11 + 34.57 / 60), 18.53),
  ])
  func deviationIsTheWidthOfAGridCell(point: LatLng, meters: Double) {
    #expect(abs(Displacements.deviation(of: point) * Self.radius - meters) < meters / 1_000)
  }

  @Test func equalPlacesHaveEqualDisplacements() {
    let displacements = Displacements()
    let point = LatLng(latitude: 48.13721, longitude: 11.57513)
    let first = displacements.displacement(of: point)
    #expect(
      first
        == displacements.displacement(
          of: LatLng(latitude: 48.137_210_000_01, longitude: 11.575_129_999_99)))
    #expect(
      first
        != displacements.displacement(of: LatLng(latitude: 48.13722, longitude: 11.57513)))
    #expect(first != Displacements().displacement(of: point))
  }

  /// Compares mean, variance and tail of the displacements with a normal distribution.
  @Test func displacementsAreNormallyDistributed() {
    let displacements = Displacements()
    let count = 20_000
    var (sums, squares, beyond) = ((0.0, 0.0), (0.0, 0.0), 0)
    for index in 0..<count {
      let point = LatLng(latitude: 48.13721 + Double(index) * 1.001e-5, longitude: 11.575_137)
      let (x, y) = displacements.displacement(of: point)
      let (a, b) = (x / Displacements.least, y / Displacements.least)
      guard Displacements.deviation(of: point) == Displacements.least else { continue }
      sums = (sums.0 + a, sums.1 + b)
      squares = (squares.0 + a * a, squares.1 + b * b)
      if a * a + b * b > 9 { beyond += 1 }
    }
    let number = Double(count)
    #expect(abs(sums.0) / number < 0.05 && abs(sums.1) / number < 0.05)
    #expect(abs(squares.0 / number - 1) < 0.08 && abs(squares.1 / number - 1) < 0.08)
    // 1.1 % of the displacements exceed three standard deviations.
    #expect((120...350).contains(beyond))
  }
}
