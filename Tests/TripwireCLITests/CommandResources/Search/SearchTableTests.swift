import Testing

@testable import CommandResources
@testable import Tripwire

@Suite struct SearchTableTests {
  private func trip(_ name: String, _ vehicle: String = "") -> Trip {
    var trip = Trip()
    (trip.name, trip.vehicleId) = (name, vehicle)
    return trip
  }

  @Test func pagesHaveOneTitleAndColumnsNeverShrink() {
    var table = SearchTable()
    #expect(table.lines([], TestConsole.clock).isEmpty)
    #expect(
      table.lines([trip("long-name", "v1")], TestConsole.clock) == [
        "NAME       STATUS  TYPE  VEHICLE  LOCATION  AGE",
        "long-name  —       —     v1       —         —",
      ])
    #expect(
      table.lines([trip("t", "v1")], TestConsole.clock) == [
        "t          —       —     v1       —         —"
      ])
  }

  @Test func longCellsAreTruncated() throws {
    var table = SearchTable()
    let lines = table.lines([trip(String(repeating: "x", count: 10_000))], TestConsole.clock)
    #expect(try #require(lines.last).count < 300)
  }
}
