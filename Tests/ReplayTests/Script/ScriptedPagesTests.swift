import FleetEngineAPI
import Testing

@testable import Replay
@testable import WireGRPCServer

@Suite struct ScriptedPagesTests {
  /// A call of SearchTrips that is found by `condition` and answers with a page.
  static func call(_ condition: String, next: String) -> String {
    let page =
      #"{"@type": "type.googleapis.com/maps.fleetengine.v1.SearchTripsResponse","#
      + #" "nextPageToken": "\#(next)"}"#
    return #"{"method": "/maps.fleetengine.v1.TripService/SearchTrips"\#(condition),"#
      + #" "steps": [{"message": {"json": \#(page)}}, {"trailers": {}}]}"#
  }

  static func request(_ token: String) -> String {
    #", "request": {"@type": "type.googleapis.com/maps.fleetengine.v1.SearchTripsRequest","#
      + #" "parent": "providers/p", "pageToken": "\#(token)"}"#
  }

  static let resource = #", "resource": "providers/p""#

  static func warnings(_ calls: [String], loops: Bool = false) throws -> [String] {
    let script = try ReplayScriptTests.script(
      #"{"calls": [\#(calls.joined(separator: ", "))]}"#)
    return ResponseIndex(script, loops: loops).omissions
  }

  @Test(arguments: ["", resource]) func warnsAboutPagesWithoutEnd(condition: String) throws {
    let calls = [Self.call(condition, next: "p2"), Self.call(condition, next: "p3")]
    let warning = try #require(try Self.warnings(calls).first)
    #expect(warning.hasPrefix(#"call 2 returns every page with the nextPageToken "p3": "#))
    #expect(try Self.warnings(calls, loops: true).count == 1)
  }

  @Test(arguments: ["", resource]) func pagesWithAnEndHaveNoWarning(condition: String) throws {
    let calls = [Self.call(condition, next: "p2"), Self.call(condition, next: "")]
    #expect(try Self.warnings(calls).isEmpty)
    #expect(try Self.warnings(calls, loops: true).isEmpty)
    let other = [Self.call(condition, next: "p2"), Self.call(Self.request("p2"), next: "")]
    #expect(try Self.warnings(other).isEmpty)
    #expect(try Self.warnings([Self.call(Self.request("p2"), next: "p2")]).isEmpty)
  }

  /// A script with a call for each page has no other pages.
  @Test func requestMatchesOnlyItsPage() throws {
    let script = try ReplayScriptTests.script(
      #"{"calls": [\#(Self.call(Self.request(""), next: "p2"))]}"#)
    var index = ResponseIndex(script)
    let refusal = try #require(throws: Refusal.self) {
      try ResponseIndexTests.pages(&index, SearchTripsRequest(parent: "providers/p"))
    }
    #expect(
      refusal.status.message == "this request for providers/p is not in this script:"
        + " page_token: unset in the script, \"p2\" in this request")
  }
}
