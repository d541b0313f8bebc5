import FleetEngineAPI
import Testing
import WireProtobuf

@testable import CloudLogging

struct LogFilterTests {
  private let since = Timestamp(seconds: 1_795_253_400, nanos: 500_000_000)
  private let until = Timestamp(seconds: 1_795_257_000)

  private func texts(_ resources: [(ResourceKind?, String)], until: Timestamp? = nil) -> [String] {
    LogFilter.filters(
      of: resources.compactMap { LoggedResource($0.0, id: $0.1) }, since: since, until: until
    )
  }

  @Test func `the filter of a trip has its label and the searches for it`() {
    #expect(
      texts([(.trip, "t1")], until: until) == [
        #"(resource.type="fleetengine.googleapis.com/Fleet")"#
          + #" AND (logName:"logs/fleetengine.googleapis.com%2F")"#
          + #" AND (timestamp>="2026-11-21T09:30:00.500Z") AND (timestamp<"2026-11-21T10:30:00Z")"#
          + #" AND (labels.trip_id="t1" OR jsonPayload.request.trip_id="t1""#
          + #" OR jsonPayload.request.tripId="t1")"#
      ])
  }

  @Test(arguments: [
    (ResourceKind.vehicle, "Fleet", "vehicle_id"),
    (.deliveryVehicle, "DeliveryFleet", "delivery_vehicle_id"),
    (.task, "DeliveryFleet", "task_id"),
  ])
  func `other kinds have one label`(kind: ResourceKind, type: String, label: String) {
    #expect(
      texts([(kind, "x")]) == [
        "(resource.type=\"fleetengine.googleapis.com/\(type)\")"
          + " AND (logName:\"logs/fleetengine.googleapis.com%2F\")"
          + " AND (timestamp>=\"2026-11-21T09:30:00.500Z\") AND (labels.\(label)=\"x\")"
      ])
  }

  @Test func `an ID alone may be of any kind`() throws {
    let text = try #require(texts([(nil, "x")]).first)
    for label in ["trip_id", "vehicle_id", "delivery_vehicle_id", "task_id"] {
      #expect(text.contains("labels.\(label)=\"x\""))
    }
    #expect(text.contains("/Fleet\"") && text.contains("/DeliveryFleet\""))
  }

  @Test func `no resource means all`() throws {
    let text = try #require(texts([]).first)
    #expect(
      !text.contains("labels") && text.contains("/Fleet\"") && text.contains("/DeliveryFleet\""))
  }

  @Test func `a tracking ID has no filter`() {
    #expect(LoggedResource(.taskTrackingInfo, id: "x") == nil)
  }

  @Test(arguments: [
    (#"a" OR ""="#, #""a\" OR \"\"=""#),
    (#"a\"#, #""a\\""#),
    ("a\nb\r\0", #""a\u000ab\u000d\u0000""#),
    ("\u{7f}\u{85}\u{2028}", #""\u007f\u0085\u2028""#),
    ("é 日", "\"é 日\""),
    ("", "\"\""),
  ])
  func `no text ends its literal`(text: String, literal: String) {
    #expect(LogFilter.quoted(text) == literal)
  }

  @Test func `many resources are split into filters that Cloud Logging accepts`() {
    let filters = texts(
      (0..<500).map { (.task, "task-\($0)-" + String(repeating: "x", count: 64)) })
    #expect(filters.count > 1)
    #expect(filters.allSatisfy { $0.utf8.count < 20_000 })
    #expect(filters.map { $0.split(separator: " OR ").count }.reduce(0, +) == 500)
  }
}
