import MapPage
import Testing
import Tripwire
import WireGRPC

@testable import RecordingCommands

@Suite struct RecordedMapTests {
  private static func trip(vehicleAt longitude: Double) -> Trip {
    Trip(
      name: "providers/p/trips/t1", tripStatus: .enrouteToPickup,
      route: [LatLng(latitude: 0, longitude: 0), LatLng(latitude: 0, longitude: 1)],
      lastLocation: VehicleLocation(location: LatLng(latitude: 0.5, longitude: longitude)))
  }

  private func text(_ map: inout RecordedMap) throws -> String {
    let gzipped = map.gzipped()
    let data = try #require(gzipped)
    return String(decoding: try Inflater.inflate(data, limit: 1 << 22), as: UTF8.self)
  }

  @Test func equalFeaturesAreKeptOnce() throws {
    var map = RecordedMap()
    for step in 0..<10 {
      let facts = MapFacts(.trip(Self.trip(vehicleAt: Double(step) / 10)), updated: Double(step))
      map.add(facts, of: "t1", at: Double(step))
    }
    let json = try text(&map)
    #expect(json.ranges(of: "activeRoute").count == 1)
    #expect(json.ranges(of: "\"kind\":\"vehicle\"").count == 10)
    #expect(json.contains("\"features\":[0,10],"))
  }

  @Test func routesHaveDistancesAndObserversTheirColors() throws {
    var map = RecordedMap(observers: [.init(name: "a", letter: "A"), .init(name: "b", letter: "B")])
    let facts = MapFacts(.trip(Self.trip(vehicleAt: 0.5)), updated: 0)
    map.add(facts, of: "t1 (a)", by: 0, at: 0)
    map.add(facts, of: "t1 (b)", by: 1, at: 0)
    let json = try text(&map)
    // A degree of longitude on the equator.
    #expect(json.contains("\"meters\":[[0,111195]]"))
    #expect(json.contains("\"marker-color\":\"#0b57d0\""))
    #expect(json.contains("\"marker-color\":\"#3d4852\""))
    #expect(json.contains(#"{"name":"t1 (b)","staleAfter":15,"observer":1}"#))
    #expect(
      json.contains(
        ##""observers":[{"name":"a","letter":"A","color":"#0b57d0"},{"name":"b","letter":"B","color":"#3d4852"}]"##
      ))
  }

  @Test func findingsOfTwoLogsAreOneList() throws {
    var map = RecordedMap()
    for omitted in [0, 2] {
      map.add(
        RecordedMap.Check(
          id: "gap", title: "Gaps", explanation: "…",
          findings: [.init(time: 1, until: nil, trip: nil, text: "no response")], omitted: omitted))
    }
    let json = try text(&map)
    let finding = #"{"time":1,"text":"no response"}"#
    #expect(json.contains("\"findings\":[\(finding),\(finding)]"))
    #expect(json.contains("… 2 more findings are not shown."))
  }

  @Test func framesCallsAndFeaturesAreOneList() throws {
    var map = RecordedMap()
    map.add(RecordedMap.Call(number: 1, start: 2, method: "m", code: "OK"))
    map.add(MapFacts(.trip(Self.trip(vehicleAt: 0)), updated: nil), of: "t1", at: 2)
    let json = try text(&map)
    let parts = [
      #"{"items":[{"type":"Feature","#, #",{"time":2,"trip":0,"features":[0,1],"bounds":"#,
      #",{"number":1,"start":2,"#, #"],"trips":[{"name":"t1","#,
      #"],"checks":[]}"#,
    ]
    var position = json.startIndex
    for part in parts {
      position = try #require(json[position...].firstRange(of: part)).upperBound
    }
    #expect(position == json.endIndex)
  }

  @Test func longListIsCompressedInParts() throws {
    var map = RecordedMap()
    for number in 1...3_000 {
      var call = RecordedMap.Call(number: number, start: 0, method: "m", code: "OK")
      call.summary = String(repeating: "s", count: 200)
      map.add(call)
      map.add(MapFacts(nil, updated: nil), of: "t1", at: 0)
    }
    let json = try text(&map)
    let counts = ["},{", #"{"number":"#, #"{"time":"#].map { json.ranges(of: $0).count }
    #expect(counts == [5_999, 3_000, 3_000])
  }

  @Test func emptyMapIsValid() throws {
    var map = RecordedMap()
    let json = try text(&map)
    #expect(json == #"{"items":[],"trips":[],"checks":[]}"#)
  }

  @Test(arguments: [([0, 5, 10, 15], "15"), ([0, 30, 60], "90"), ([7], "15"), ([], "15")])
  func tripIsStaleAfterThreeIntervals(times: [Double], seconds: String) throws {
    var map = RecordedMap()
    map.add(RecordedMap.Call.of("t1"))
    for time in times {
      map.add(MapFacts(.trip(Self.trip(vehicleAt: 0)), updated: time), of: "t1", at: time)
    }
    let json = try text(&map)
    #expect(json.contains("\"trips\":[{\"name\":\"t1\",\"staleAfter\":\(seconds)}]"))
  }

  @Test func textsAreEscaped() throws {
    var map = RecordedMap()
    var call = RecordedMap.Call.of("<img src=x onerror=alert(1)>")
    call.message = "\"\u{2028}</script>"
    map.add(call)
    let json = try text(&map)
    #expect(json.contains(#""message":"\""#))
    #expect(json.contains(#""name":"<img src=x onerror=alert(1)>""#))
  }

  @Test func findingsNameTheirTrip() throws {
    var map = RecordedMap()
    map.add(RecordedMap.Call.of("t1"))
    map.add(
      RecordedMap.Check(
        id: "gap", title: "Gaps", explanation: "…",
        findings: [.init(time: 1, until: 2.5, trip: "t1", text: "no response")]))
    let json = try text(&map)
    #expect(
      json.contains(
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
