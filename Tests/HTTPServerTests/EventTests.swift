import TestSupport
import Testing

@testable import HTTPServer

@Suite(.ownThread) struct EventTests {
  @Test func aPageReceivesAllTripsAndThenChanges() throws {
    let server = try startServer()
    server.publish("a", frame(#"{"n":1}"#))
    server.publish("b", frame("null"))
    let client = try PageClient(server)
    let response = try client.openEvents()
    #expect(response.headers["Content-Type"] == "text/event-stream")
    // The first event may be older than the updates.
    var trips = try client.nextTrips()
    if trips == "[]" { trips = try client.nextTrips() }
    #expect(trips == #"[{"name":"a","frame":{"n":1}},{"name":"b","frame":null}]"#)
    server.publish("a", frame(#"{"n":2}"#))
    #expect(try client.nextTrips() == #"[{"name":"a","frame":{"n":2}}]"#)
  }

  @Test func withoutTripsAPageReceivesTheTime() throws {
    let server = try startServer()
    let client = try PageClient(server)
    try client.openEvents()
    let data = try client.nextEvent()?.data ?? ""
    #expect(data.hasPrefix(#"{"now":1"#))
    #expect(data.hasSuffix(#","frames":[]}"#))
  }

  @Test func aPageThatDoesNotReadReceivesOnlyTheNewestState() throws {
    let server = try startServer()
    let client = try PageClient(server)
    try client.openEvents()
    #expect(try client.nextTrips() == "[]")
    let padding = String(repeating: "x", count: 256 << 10)
    for number in 1...64 {
      server.publish("a", frame(#"{"n":\#(number),"p":"\#(padding)"}"#))
      if number == 32 { server.publish("b", frame("7")) }
    }
    var events = 0
    var received = ""
    while !received.contains(#"{"n":64,"#) || !received.contains(#"{"name":"b","frame":7}"#) {
      let trips = try client.nextTrips()
      received += trips.prefix(100) + trips.suffix(60)
      events += 1
    }
    // The events that the kernel holds come first, then the newest state.
    #expect(events <= 12)
    #expect(!received.contains(#"{"n":40,"#) || !received.contains(#"{"n":41,"#))
  }

  @Test func thePagesReceiveTheEndAfterTheNewestState() throws {
    let server = try startServer()
    let client = try PageClient(server)
    try client.openEvents()
    #expect(try client.nextTrips() == "[]")
    server.publish("a", frame("1"))
    server.end()
    #expect(try client.nextTrips() == #"[{"name":"a","frame":1}]"#)
    #expect(try client.nextEvent() == .init(name: "end", data: "{}"))
    #expect(try client.nextEvent() == nil)
    #expect(try client.socket.read().isEmpty)
    // A page that is opened later.
    let late = try PageClient(server)
    try late.openEvents()
    #expect(try late.nextTrips() == #"[{"name":"a","frame":1}]"#)
    #expect(try late.nextEvent()?.name == "end")
  }

  @Test func anIdlePageReceivesComments() throws {
    let server = try startServer {
      $0.limits.keepalive = .milliseconds(20)
      $0.limits.checkInterval = .milliseconds(10)
    }
    let client = try PageClient(server)
    try client.openEvents()
    #expect(try client.nextTrips() == "[]")
    #expect(try client.nextEvent() == .init(isComment: true))
    #expect(try client.nextEvent() == .init(isComment: true))
    server.publish("a", frame("1"))
    var event = try client.nextEvent()
    while event?.isComment == true { event = try client.nextEvent() }
    #expect(event?.name == "frames")
  }

  @Test func namesAndFramesCannotBreakTheStream() throws {
    let server = try startServer()
    let client = try PageClient(server)
    try client.openEvents()
    #expect(try client.nextTrips() == "[]")
    server.publish("<img>\"\\\n\u{1}é", frame("{\r\n\n\"n\":\n1}"))
    #expect(
      try client.nextTrips() == #"[{"name":"<img>\"\\\n\u0001é","frame":{   "n": 1}}]"#)
  }

  @Test func hundredsOfPagesReceiveTheSameUpdates() async throws {
    let (counts, report) = AsyncStream<Int>.makeStream()
    let server = try startServer { $0.onPagesChange = { report.yield($0) } }
    server.publish("a", frame("1"))
    var pages: [PageClient] = []
    for _ in 0..<250 {
      let page = try PageClient(server)
      page.send("/events")
      pages.append(page)
    }
    for page in pages {
      #expect(try page.response().status == 200)
      #expect(try page.nextTrips() == #"[{"name":"a","frame":1}]"#)
    }
    #expect(await counts.first { $0 == 250 } == 250)
    #expect(server.connectedPages == 250)
    server.publish("a", frame("2"))
    for page in pages { #expect(try page.nextTrips() == #"[{"name":"a","frame":2}]"#) }
    pages.removeLast(249)
    #expect(await counts.first { $0 == 1 } == 1)
    server.publish("a", frame("3"))
    #expect(try pages[0].nextTrips() == #"[{"name":"a","frame":3}]"#)
    pages.removeAll()
    #expect(await counts.first { $0 == 0 } == 0)
  }
}
