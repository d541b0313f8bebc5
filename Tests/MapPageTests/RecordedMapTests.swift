import JourneySharing
import Testing
import Tripwire
import WireProtobuf

@testable import MapPage

@Suite struct RecordedMapTests {
  private static func trip(vehicleAt longitude: Double) -> Trip {
    var trip = Trip()
    trip.name = "providers/p/trips/t1"
    trip.tripStatus = .enrouteToPickup
    trip.route = [LatLng(latitude: 0, longitude: 0), LatLng(latitude: 0, longitude: 1)]
    trip.lastLocation = VehicleLocation(location: LatLng(latitude: 0.5, longitude: longitude))
    return trip
  }

  private func text(_ map: RecordedMap) -> String { String(decoding: map.json, as: UTF8.self) }

  @Test func equalFeaturesAreKeptOnce() {
    var map = RecordedMap()
    for step in 0..<10 {
      let facts = MapFacts(Self.trip(vehicleAt: Double(step) / 10), updated: Double(step))
      map.add(facts, of: "t1", at: Double(step))
    }
    let json = text(map)
    #expect(json.ranges(of: "activeRoute").count == 1)
    #expect(json.ranges(of: "\"kind\":\"vehicle\"").count == 10)
    #expect(json.contains("\"features\":[0,10],"))
  }

  @Test func framesAndCallsAreSortedByTime() throws {
    var map = RecordedMap()
    for time in [2.0, 1] {
      map.add(MapFacts(nil, updated: nil), of: "t\(Int(time))", at: time)
      map.add(RecordedMap.Call(number: Int(time), start: time, method: "m", code: "OK"))
    }
    let json = text(map)
    #expect(
      json.contains(
        #""frames":[{"time":1,"trip":1,"features":[],"facts":{}},{"time":2,"trip":0,"#))
    let first = try #require(json.firstRange(of: #""number":1"#))
    let second = try #require(json.firstRange(of: #""number":2"#))
    #expect(first.lowerBound < second.lowerBound)
  }

  @Test(arguments: [([0, 5, 10, 15], "15"), ([0, 30, 60], "90"), ([7], "15"), ([], "15")])
  func tripIsStaleAfterThreeIntervals(times: [Double], seconds: String) {
    var map = RecordedMap()
    map.add(RecordedMap.Call.of("t1"))
    for time in times {
      map.add(MapFacts(Self.trip(vehicleAt: 0), updated: time), of: "t1", at: time)
    }
    #expect(text(map).contains("\"trips\":[{\"name\":\"t1\",\"staleAfter\":\(seconds)}]"))
  }

  @Test func textsAreEscaped() {
    var map = RecordedMap()
    var call = RecordedMap.Call.of("<img src=x onerror=alert(1)>")
    call.message = "\"\u{2028}</script>"
    map.add(call)
    let json = text(map)
    #expect(json.contains(#""message":"\""#))
    #expect(json.contains(#""name":"<img src=x onerror=alert(1)>""#))
  }

  @Test func findingsNameTheirTrip() {
    var map = RecordedMap()
    map.add(RecordedMap.Call.of("t1"))
    map.checks = [
      RecordedMap.Check(
        id: "gap", title: "Gaps", explanation: "…",
        findings: [.init(time: 1, until: 2.5, trip: "t1", text: "no response")])
    ]
    #expect(
      text(map).contains(
        #""findings":[{"time":1,"until":2.5,"trip":0,"text":"no response"}]"#))
  }
}

extension RecordedMap.Call {
  fileprivate static func of(_ trip: String) -> Self {
    var call = Self(number: 1, start: 0, method: "m", code: "OK")
    call.trip = trip
    return call
  }
}
