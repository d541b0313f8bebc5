import FleetEngineAPI
import Testing
import WireGRPC
import WireProtobuf

@testable import CloudLogging

struct LogDownloadTests {
  private static let start = Timestamp(seconds: 1_795_253_400)

  private func download(_ resources: (ResourceKind?, String)...) -> LogDownload {
    LogDownload(
      project: "p", resources: resources.compactMap { LoggedResource($0.0, id: $0.1) },
      since: Self.start, until: nil)
  }

  /// - Parameter json: the payload.
  private func entry(
    _ id: String, at second: Int64 = 0, _ json: String = "{}", _ labels: [String: String] = [:]
  )
    throws -> LogEntry
  {
    LogEntry(
      logName: "projects/p/logs/x", payload: .jsonPayload(try Struct(jsonString: json)),
      timestamp: Timestamp(seconds: Self.start.seconds + second), insertId: id, labels: labels)
  }

  @Test func `pages have the token of the page before`() throws {
    var download = download((.trip, "t1"))
    let first = try #require(download.request)
    #expect(first.resourceNames == ["projects/p"])
    #expect(first.pageSize == 1_000 && first.pageToken.isEmpty)
    #expect(first.orderBy == "timestamp asc")
    // A page may be empty although more follow.
    try download.receive(ListLogEntriesResponse(nextPageToken: "a"))
    var second = try #require(download.request)
    #expect(second.pageToken == "a")
    second.pageToken = ""
    #expect(second == first)
    try download.receive(ListLogEntriesResponse(entries: [entry("1")]))
    #expect(download.request == nil)
    #expect(download.entries.count == 1)
  }

  @Test func `a repeated page token is an error`() throws {
    var download = download((.trip, "t1"))
    try download.receive(ListLogEntriesResponse(nextPageToken: "a"))
    try download.receive(ListLogEntriesResponse(nextPageToken: "b"))
    #expect(throws: LogDownloadError.repeatedPageToken) {
      try download.receive(ListLogEntriesResponse(nextPageToken: "a"))
    }
  }

  @Test func `the vehicles of a trip come along, each once`() throws {
    var download = download((.trip, "t1"))
    let response = #"{"response": {"vehicleId": "v1"}}"#
    try download.receive(
      ListLogEntriesResponse(
        entries: [
          entry("1", response, ["trip_id": "t1"]), entry("2", response, ["trip_id": "t1"]),
          entry("3", #"{"request": {"trip": {"vehicle_id": "v2"}}}"#, ["trip_id": "t1"]),
          entry("4", "{}", ["trip_id": "t1", "vehicle_id": "v3"]),
          // Of another trip.
          entry("5", #"{"response": {"vehicleId": "v4"}}"#, ["trip_id": "t2"]),
        ], nextPageToken: "a"))
    #expect(download.request?.pageToken == "a")
    try download.receive(ListLogEntriesResponse())
    #expect(download.relatedResources.map(\.id) == ["v1", "v2", "v3"])
    let request = try #require(download.request)
    #expect(request.pageToken.isEmpty)
    #expect(
      request.filter.hasSuffix(
        #"(labels.vehicle_id="v1" OR labels.vehicle_id="v2" OR labels.vehicle_id="v3")"#))
    // Those that come along bring no others.
    try download.receive(
      ListLogEntriesResponse(
        entries: [entry("6", #"{"response": {"vehicleId": "v9"}}"#, ["trip_id": "t1"])]))
    #expect(download.request == nil && download.entries.count == 6)
  }

  @Test func `the tasks of a delivery vehicle come along`() throws {
    var download = download((.deliveryVehicle, "d1"))
    let json = """
      {"response": {"remainingVehicleJourneySegments": [
        {"stop": {"tasks": [{"taskId": "a"}, {"taskId": "b"}]}}, {"stop": {"tasks": [{"taskId": "c"}]}}, {}]}}
      """
    try download.receive(
      ListLogEntriesResponse(entries: [
        entry("1", json, ["delivery_vehicle_id": "d1"]),
        entry("2", "{}", ["delivery_vehicle_id": "d1", "task_id": "d"]),
      ]))
    #expect(download.relatedResources.map(\.id) == ["a", "b", "c", "d"])
  }

  @Test func `the delivery vehicle of a task comes along`() throws {
    var download = download((nil, "x1"))
    try download.receive(
      ListLogEntriesResponse(entries: [
        entry("1", #"{"response": {"deliveryVehicleId": "d1"}}"#, ["task_id": "x1"]),
        entry("2", #"{"request": {"task": {"deliveryVehicleId": "d2"}}}"#, ["task_id": "x1"]),
      ]))
    #expect(download.relatedResources.map(\.id) == ["d1", "d2"])
    #expect(download.relatedResources.allSatisfy { $0.kind == .deliveryVehicle })
  }

  @Test func `the number of related resources is limited`() throws {
    var download = download((.deliveryVehicle, "d1"))
    for number in 0..<(RelatedResources.limit + 3) {
      try download.receive(
        ListLogEntriesResponse(
          entries: [
            entry("\(number)", "{}", ["delivery_vehicle_id": "d1", "task_id": "x\(number)"])
          ], nextPageToken: "\(number)"))
    }
    #expect(download.relatedResources.count == RelatedResources.limit)
    #expect(download.omittedRelatedCount == 3)
  }

  @Test func `entries are sorted, and duplicates omitted`() throws {
    var entries = DownloadedEntries()
    for (id, second) in [("a", Int64(5)), ("b", 1), ("a", 5), ("a", 6), ("", 1), ("", 1)] {
      try entries.add(entry(id, at: second))
    }
    #expect(entries.count == 5)
    let text = String(decoding: entries.takeJSON(), as: UTF8.self)
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines.first == "[" && lines.last == "]")
    let times = lines.dropFirst().dropLast().map { line in
      String(line.drop { $0 != "T" }.dropFirst().prefix(8))
    }
    #expect(times == ["09:30:01", "09:30:01", "09:30:01", "09:30:05", "09:30:06"])
    #expect(lines[1].contains(#""insertId":"b""#))
    #expect(entries.count == 0)
  }

  @Test func `the size of entries is limited`() throws {
    var entries = DownloadedEntries(sizeLimit: 300)
    try entries.add(entry("a"))
    #expect(throws: LogDownloadError.tooLarge) {
      for number in 0..<5 { try entries.add(entry("b\(number)")) }
    }
  }

  @Test func `a quota is waited out, but not forever`() throws {
    var download = download((.trip, "t1"))
    let exhausted = CallError(code: .resourceExhausted, message: "", origin: .server)
    var timed = exhausted
    timed.details = [.retryInfo(RetryInfo(retryDelay: WireDuration(seconds: 7)))]
    #expect(download.delay(after: exhausted) == .seconds(60))
    #expect(download.delay(after: timed) == .seconds(7))
    timed.details = [.retryInfo(RetryInfo(retryDelay: WireDuration(seconds: -7)))]
    #expect(download.delay(after: timed) == .seconds(1))
    try download.receive(ListLogEntriesResponse(nextPageToken: "a"))
    for _ in 0..<5 { #expect(download.delay(after: exhausted) == .seconds(60)) }
    #expect(download.delay(after: exhausted) == nil)
    #expect(download.request?.pageToken == "a")
  }

  @Test func `other errors are not waited out`() {
    var download = download((.trip, "t1"))
    for code in [StatusCode.unavailable, .permissionDenied] {
      #expect(download.delay(after: CallError(code: code, message: "", origin: .server)) == nil)
    }
    let local = CallError(code: .resourceExhausted, message: "", origin: .local)
    #expect(download.delay(after: local) == nil)
  }
}
