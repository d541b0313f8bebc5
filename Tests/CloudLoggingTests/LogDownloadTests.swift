import FleetEngineAPI
import Testing
import WireGRPC
import WireProtobuf

@testable import CloudLogging

struct LogDownloadTests {
  private static let start = Timestamp(seconds: 1_795_253_400)

  private func download(
    _ resources: (ResourceKind?, String)..., sizeLimit: Int = LogDownload.sizeLimit
  ) -> LogDownload {
    LogDownload(
      project: "p", resources: resources.compactMap { LoggedResource($0.0, id: $0.1) },
      since: Self.start, until: nil, sizeLimit: sizeLimit)
  }

  /// - Parameter json: the payload.
  private func entry(
    _ id: String, at second: Int64 = 0, _ json: String = "{}", _ labels: [String: String] = [:]
  ) throws -> LogEntry {
    LogEntry(
      logName: "projects/p/logs/x", payload: .jsonPayload(try Struct(jsonString: json)),
      timestamp: Timestamp(seconds: Self.start.seconds + second), insertId: id, labels: labels)
  }

  @Test func `pages have the token of the page before`() throws {
    var download = download((.trip, "t1"))
    let first = try #require(download.request)
    #expect(first.resourceNames == ["projects/p"])
    #expect(first.pageSize == 100 && first.pageToken.isEmpty)
    #expect(first.orderBy == "timestamp asc")
    // A page may be empty although more follow.
    try download.receive([], token: "a")
    var second = try #require(download.request)
    #expect(second.pageToken == "a")
    second.pageToken = ""
    #expect(second == first)
    try download.receive([entry("1")])
    #expect(download.request == nil)
    #expect(download.entryCount == 1)
  }

  /// A page is in memory at once.
  @Test(arguments: [(1_000, Int32(1_000)), (20_000, 419), (200_000, 100)])
  func `pages of large entries have fewer`(size: Int, pageSize: Int32) throws {
    var download = download()
    #expect(download.request?.pageSize == 100)
    let padding = String(repeating: "x", count: size)
    let entries = try (0..<100).map { try entry("\($0)", #"{"padding": "\#(padding)"}"#) }
    try download.receive(entries, token: "a")
    let next = try #require(download.request?.pageSize)
    #expect(abs(next - pageSize) <= 5)
  }

  @Test func `a repeated page token is an error`() throws {
    var download = download((.trip, "t1"))
    try download.receive([], token: "a")
    try download.receive([], token: "b")
    #expect(throws: LogDownloadError.repeatedPageToken) {
      try download.receive([], token: "a")
    }
  }

  @Test func `the number of pages is limited`() throws {
    var download = download((.trip, "t1"))
    for number in 1..<LogDownload.pageLimit { try download.endPage("\(number)") }
    #expect(throws: LogDownloadError.tooManyPages) { try download.endPage("last") }
  }

  @Test func `the vehicles of a trip come along, each once`() throws {
    var download = download((.trip, "t1"))
    let response = #"{"response": {"vehicleId": "v1"}}"#
    try download.receive(
      [
        entry("1", response, ["trip_id": "t1"]), entry("2", response, ["trip_id": "t1"]),
        entry("3", #"{"request": {"trip": {"vehicle_id": "v2"}}}"#, ["trip_id": "t1"]),
        entry("4", "{}", ["trip_id": "t1", "vehicle_id": "v3"]),
        // Of another trip.
        entry("5", #"{"response": {"vehicleId": "v4"}}"#, ["trip_id": "t2"]),
      ], token: "a")
    #expect(download.request?.pageToken == "a")
    try download.receive([])
    #expect(download.relatedResources.map(\.id) == ["v1", "v2", "v3"])
    let request = try #require(download.request)
    #expect(request.pageToken.isEmpty)
    #expect(
      request.filter.hasSuffix(
        #"(labels.vehicle_id="v1" OR labels.vehicle_id="v2" OR labels.vehicle_id="v3")"#))
    // Those that come along bring no others.
    try download.receive([entry("6", #"{"response": {"vehicleId": "v9"}}"#, ["trip_id": "t1"])])
    #expect(download.request == nil && download.entryCount == 6)
  }

  @Test func `the tasks of a delivery vehicle come along`() throws {
    var download = download((.deliveryVehicle, "d1"))
    let json = """
      {"response": {"remainingVehicleJourneySegments": [
        {"stop": {"tasks": [{"taskId": "a"}, {"taskId": "b"}]}}, {"stop": {"tasks": [{"taskId": "c"}]}}, {}]}}
      """
    try download.receive([
      entry("1", json, ["delivery_vehicle_id": "d1"]),
      entry("2", "{}", ["delivery_vehicle_id": "d1", "task_id": "d"]),
    ])
    #expect(download.relatedResources.map(\.id) == ["a", "b", "c", "d"])
  }

  @Test func `the delivery vehicle of a task comes along`() throws {
    var download = download((nil, "x1"))
    try download.receive([
      entry("1", #"{"response": {"deliveryVehicleId": "d1"}}"#, ["task_id": "x1"]),
      entry("2", #"{"request": {"task": {"deliveryVehicleId": "d2"}}}"#, ["task_id": "x1"]),
    ])
    #expect(download.relatedResources.map(\.id) == ["d1", "d2"])
    #expect(download.relatedResources.allSatisfy { $0.kind == .deliveryVehicle })
  }

  @Test func `the number of related resources is limited`() throws {
    var download = download((.deliveryVehicle, "d1"))
    for number in 0..<(RelatedResources.limit + 3) {
      try download.receive(
        [entry("\(number)", "{}", ["delivery_vehicle_id": "d1", "task_id": "x\(number)"])],
        token: "\(number)")
    }
    #expect(download.relatedResources.count == RelatedResources.limit)
    #expect(download.omittedRelatedCount == 3)
  }

  @Test func `duplicates have the same time and insert ID`() throws {
    var download = download()
    let given = [("a", Int64(5)), ("b", 1), ("a", 5), ("a", 6), ("", 1), ("", 1)]
    let isNew = try given.map { id, second in
      try download.add(entry(id, at: second).serializedBytes()) != .duplicate
    }
    #expect(isNew == [true, true, false, true, true, true])
    #expect(download.entryCount == 5)
    #expect(download.lastTime?.seconds == Self.start.seconds + 6)
  }

  @Test func `an entry is kept as JSON`() throws {
    var download = download()
    let added = try download.add(entry("a", #"{"request": {"tripId": "t1"}}"#).serializedBytes())
    guard case .json(let json) = added else {
      Issue.record("\(added)")
      return
    }
    let entry = try LogEntry(jsonUTF8Bytes: json)
    #expect(entry.insertId == "a" && entry.timestamp == Self.start)
    #expect(entry.jsonPayload?.fields["request"]?.structValue?.fields["tripId"] == "t1")
  }

  @Test func `entries that JSON or protobuf cannot express are unreadable`() throws {
    var download = download()
    let tooLate = try entry("a", at: .max / 2).serializedBytes()
    for bytes in [tooLate, [0x22, 0x7f, 0x61], [0x22, 0x01, 0xff]] {
      guard case .unreadable = try download.add(bytes) else {
        Issue.record("\(bytes)")
        continue
      }
    }
    #expect(download.entryCount == 0)
  }

  @Test func `the size of entries is limited`() throws {
    var download = download(sizeLimit: 300)
    #expect(throws: LogDownloadError.tooLarge) {
      for number in 0..<5 { _ = try download.add(entry("\(number)").serializedBytes()) }
    }
    #expect(download.entryCount > 0)
  }

  @Test func `a quota is waited out, but not forever`() throws {
    var download = download((.trip, "t1"))
    let exhausted = CallError(code: .resourceExhausted, message: "", origin: .server)
    func timed(_ seconds: Int64) -> CallError {
      var error = exhausted
      error.details = [.retryInfo(RetryInfo(retryDelay: WireDuration(seconds: seconds)))]
      return error
    }
    #expect(download.delay(after: exhausted) == .seconds(60))
    #expect(download.delay(after: timed(7)) == .seconds(7))
    #expect(download.delay(after: timed(-7)) == .seconds(1))
    #expect(download.delay(after: timed(601)) == nil)
    try download.receive([], token: "a")
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

extension LogDownload {
  /// Takes a page as a server sends it.
  fileprivate mutating func receive(_ entries: [LogEntry], token: String = "") throws {
    let response = ListLogEntriesResponse(entries: entries, nextPageToken: token)
    let page = try LogPage(serializedBytes: response.serializedBytes())
    for entry in page.entries { _ = try add(entry) }
    try endPage(page.nextPageToken)
  }
}
