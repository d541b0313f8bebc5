import Testing

@testable import RecordingAnalysis
@testable import RecordingCommands

@Suite struct OmissionsTextTests {
  @Test func eachOmissionHasALine() {
    let omissions = Omissions()
    omissions.add("Trip.route", because: "coordinates out of range")
    omissions.add("Trip.attributes", 2)
    omissions.add("Trip.route", 3, because: "coordinates out of range")
    omissions.add(callOf: "/a.B/C\u{1b}")
    omissions.add(callOf: nil)
    omissions.add(callOf: nil)
    #expect(
      omissions.lines == [
        "2 calls whose first event is not in the recording", "1 call of /a.B/C\\u{1b}",
        "Trip.attributes (2 values)",
        "Trip.route (4 values): coordinates out of range",
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
