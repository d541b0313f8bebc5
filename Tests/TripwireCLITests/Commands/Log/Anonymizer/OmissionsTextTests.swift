import RecordingAnalysis
import Testing

@testable import TripwireCLI

@Suite struct OmissionsTextTests {
  @Test func eachOmissionHasALine() {
    let omissions = Omissions()
    omissions.add("Trip.route", because: "not a place on Earth")
    omissions.add("Trip.attributes", 2)
    omissions.add("Trip.route", 3, because: "not a place on Earth")
    omissions.add(callOf: "/a.B/C\u{1b}")
    omissions.add(callOf: nil)
    omissions.add(callOf: nil)
    #expect(
      omissions.lines == [
        "2 calls without a start", "1 call of /a.B/C\\u{1b}", "Trip.attributes (2 values)",
        "Trip.route (4 values): not a place on Earth",
      ])
  }

  @Test func furtherMethodsAreOnlyCounted() {
    let omissions = Omissions()
    for index in 10..<30 {
      omissions.add(callOf: "/a.B/C\(index)")
      omissions.add(callOf: "/a.B/C\(index)")
    }
    #expect(omissions.lines.count == 11)
    #expect(omissions.lines.first == "2 calls of /a.B/C10")
    #expect(omissions.lines.last == "20 calls of 10 other methods")
  }
}
