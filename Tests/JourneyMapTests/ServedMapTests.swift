import JourneyMap
import JourneySharing
import TestSupport
import Testing
import Tripwire
import WireSystem

/// The page of a map, as a client receives it.
@Suite(.timeLimit(.minutes(20))) struct ServedMapTests {
  /// A map whose contents a test sets.
  private final class TestMap: JourneyMapSource {
    private let contents = Locked(JourneyMapContents())
    private let observers = Locked<[@Sendable (JourneyMapContents) -> Bool]>([])
    let taps: AsyncStream<JourneyMapTap>
    private let continuation: AsyncStream<JourneyMapTap>.Continuation

    init() {
      (taps, continuation) = AsyncStream.makeStream(of: JourneyMapTap.self)
    }

    func observe(_ observer: @escaping @Sendable (JourneyMapContents) -> Bool) {
      guard observer(contents.withLock { $0 }) else { return }
      observers.withLock { $0.append(observer) }
    }

    func receive(_ tap: JourneyMapTap) { continuation.yield(tap) }

    func change(_ body: (inout JourneyMapContents) -> Void) {
      let changed = contents.withLock { contents in
        body(&contents)
        return contents
      }
      observers.withLock { $0.removeAll { !$0(changed) } }
    }

    var observerCount: Int { observers.withLock { $0.count } }
  }

  private func journey(_ name: String, at longitude: Double = 1) -> Journey {
    let trip = Trip(
      name: name, tripStatus: .enrouteToPickup,
      pickupPoint: TerminalLocation(point: LatLng(latitude: 3, longitude: longitude)),
      lastLocation: VehicleLocation(location: LatLng(latitude: 2, longitude: longitude)))
    return Journey(trip)
  }

  private func port(_ server: JourneyMapServer) throws -> UInt16 {
    let digits = server.url.split(separator: ":").last?.prefix { $0.isNumber } ?? ""
    return try #require(UInt16(digits))
  }

  private func page(_ server: JourneyMapServer) throws -> OpenPage {
    try OpenPage(port: port(server))
  }

  // MARK: Contents

  @Test func pageHasWhatTheMapShows() async throws {
    let map = TestMap()
    map.change {
      $0.show(journey("a"))
      $0.tripNames.append("unknown")
      $0.places = [
        Journey.Marker(
          kind: .dropoff, position: LatLng(latitude: 5, longitude: 6),
          style: JourneyStyle.Marker(color: .black, zIndex: 7))
      ]
      $0.allowsZooming = false
    }
    let server = try await map.serve()
    let page = try page(server)
    let first = try #require(await page.data(with: "\"name\":\"unknown\""))
    #expect(first.contains(#""app":{"trips":["a","unknown"],"view":{"follows":true,"#))
    #expect(first.contains(#""scroll":true,"zoom":false}"#))
    #expect(first.contains(#"{"name":"unknown","frame":null}"#))
    #expect(first.contains(#""coordinates":[6,5]}"#))
    #expect(first.contains(##""marker-color":"#000000","z-index":7}"##))
    #expect(first.contains(#""facts":{"kind":"trip","status":"ENROUTE_TO_PICKUP"}"#))
    map.change { $0.show(journey("a", at: 9)) }
    let second = try #require(await page.data(with: "[9,2]"))
    // Only that trip has changed.
    #expect(!second.contains("\"app\""))
    #expect(!second.contains("unknown"))
    await server.close()
  }

  @Test func pageHasTheStateOfEachKindOfResource() async throws {
    let vehicle = Vehicle(
      name: "providers/p/vehicles/v", vehicleState: .online,
      lastLocation: VehicleLocation(location: LatLng(latitude: 2, longitude: 1)))
    let task = DeliveryTask(name: "providers/p/tasks/t", state: .closed)
    let deliveryVehicle = DeliveryVehicle(
      name: "providers/p/deliveryVehicles/d",
      remainingVehicleJourneySegments: [VehicleJourneySegment()])
    let info = TaskTrackingInfo(name: "providers/p/taskTrackingInfo/s", state: .open)
    let journeys = AsyncStream { [vehicle, deliveryVehicle, task, info] continuation in
      continuation.yield(Journey(vehicle))
      continuation.yield(Journey(deliveryVehicle))
      continuation.yield(Journey(task))
      continuation.yield(Journey(info))
    }
    let server = try await journeys.serve()
    let text = try #require(await page(server).data(with: "taskTrackingInfo/s\",\"frame"))
    #expect(
      text.contains(
        #"{"name":"providers/p/vehicles/v","frame":{"features":[{"type":"Feature","geometry":"#))
    #expect(text.contains(#""facts":{"kind":"vehicle","status":"ONLINE"}"#))
    #expect(text.contains(#""facts":{"kind":"deliveryVehicle"}"#))
    #expect(text.contains(#""facts":{"kind":"task","status":"CLOSED"}"#))
    #expect(text.contains(#""facts":{"kind":"taskTrackingInfo","status":"OPEN"}"#))
    await server.close()
  }

  @Test func hiddenTripsAreForgotten() async throws {
    let map = TestMap()
    map.change {
      $0.show(journey("a"))
      $0.show(journey("b"))
    }
    let server = try await map.serve()
    let open = try page(server)
    #expect(await open.data(with: "\"name\":\"b\"") != nil)
    map.change {
      $0.tripNames = ["a"]
      $0.journeys.removeLast()
    }
    #expect(await open.data(with: #""trips":["a"]"#) != nil)
    // A page that is opened later receives nothing of the hidden trip.
    let late = try #require(await page(server).data(with: "\"name\":\"a\""))
    #expect(!late.contains("\"name\":\"b\""))
    map.change { $0.show(journey("b")) }
    #expect(await open.data(with: "\"name\":\"b\"") != nil)
    await server.close()
  }

  @Test func cameraThatStaysHasItsArea() async throws {
    let map = TestMap()
    map.change {
      $0.show(journey("a"))
      $0.followsJourneys = false
      $0.camera = MapBounds([LatLng(latitude: 1, longitude: 2), LatLng(latitude: 3, longitude: 4)])
    }
    let server = try await map.serve()
    #expect(
      try await page(server).data(
        with: #""follows":false,"resets":0,"scroll":true,"zoom":true,"camera":[2,1,4,3]"#)
        != nil)
    await server.close()
  }

  @Test func iconsAreSentOnce() async throws {
    let icon = "data:image/png;base64,iVBORw0KGgo="
    let map = TestMap()
    var first = journey("a")
    for index in first.markers.indices { first.markers[index].style.icon = icon }
    map.change { [first] in $0.show(first) }
    let server = try await map.serve()
    let open = try page(server)
    let data = try #require(await open.data(with: "\"name\":\"a\""))
    #expect(data.contains(#""icons":{"1":"data:image/png;base64,iVBORw0KGgo="},"problem":"""#))
    #expect(data.contains(#""icon":"1","anchor":[0.5,0.5]"#))
    var second = journey("a", at: 9)
    for index in second.markers.indices { second.markers[index].style.icon = icon }
    map.change { [second] in $0.show(second) }
    #expect(await open.data(with: "[9,2]")?.contains(icon) == false)
    second.markers[0].style.icon = "/nonexistent.png"
    map.change { [second] in $0.show(second) }
    #expect(await open.data(with: "problem")?.contains("icon /nonexistent.png: ") == true)
    await server.close()
  }

  @Test func newestJourneysOfASequenceAreShown() async throws {
    let (journeys, continuation) = AsyncStream.makeStream(of: Journey.self)
    let (taps, receipt) = AsyncStream.makeStream(of: JourneyMapTap.self)
    let server = try await journeys.serve(onTap: { receipt.yield($0) })
    let open = try page(server)
    continuation.yield(journey("a"))
    #expect(await open.data(with: "[1,2]") != nil)
    continuation.yield(journey("b", at: 7))
    #expect(await open.data(with: "[7,2]")?.contains("[1,2]") == false)
    continuation.yield(journey("a", at: 9))
    #expect(await open.data(with: "[9,2]") != nil)
    // The page stays after the end of the sequence.
    continuation.finish()
    let late = try #require(await page(server).data(with: "[9,2]"))
    #expect(late.contains("[7,2]"))
    #expect(try await tap(#"{"trip":"b","kind":"vehicle"}"#, on: server) == 204)
    #expect(await taps.first { _ in true }?.marker.position.longitude == 7)
    await server.close()
  }

  // MARK: Taps

  private func tap(_ json: String, on server: JourneyMapServer) async throws -> Int {
    let port = try port(server)
    return try await onThread { try PageClient(port: port).tap(json).status }
  }

  @Test func tapsReachTheMapWithTheirMarker() async throws {
    let map = TestMap()
    let place = Journey.Marker(
      kind: .pickup, position: LatLng(latitude: 8, longitude: 9), style: JourneyStyle().pickup)
    map.change {
      $0.show(journey("a"))
      $0.places = [place]
    }
    let server = try await map.serve()
    #expect(try await page(server).data(with: "\"name\":\"a\"") != nil)
    // All but the last are ignored.
    for json in [
      "", "[]", "{", "{}", #"{"trip":"a"}"#, #"{"trip":"b","kind":"vehicle"}"#,
      #"{"trip":"a","kind":"dropoff"}"#, #"{"trip":"a","kind":"vehicle","index":0}"#,
      #"{"trip":"a","kind":"<img>"}"#, #"{"trip":"a","kind":"pickup"}"#,
    ] {
      #expect(try await tap(json, on: server) == 204)
    }
    #expect(try await tap(#"{"trip":null,"kind":"pickup"}"#, on: server) == 204)
    var taps = map.taps.makeAsyncIterator()
    let first = await taps.next()
    #expect(first?.tripName == "a")
    #expect(first?.marker.position == LatLng(latitude: 3, longitude: 1))
    #expect(await taps.next() == JourneyMapTap(tripName: nil, marker: place))
    await server.close()
  }

  // MARK: Lifetime

  @Test func closedServerTellsPagesAndFreesThePort() async throws {
    let map = TestMap()
    let server = try await map.serve()
    let open = try page(server)
    #expect(await open.data(with: "frames") != nil)
    #expect(server.pageCount == 1)
    await server.close()
    var last: PageClient.Event?
    for await event in open.events { last = event }
    #expect(last?.name == "end")
    await server.close()
    let address = "127.0.0.1:\(try port(server))"
    let again = try await map.serve(on: address)
    #expect(again.url == server.url)
    map.change { _ in }
    #expect(map.observerCount == 1)
    await again.close()
  }

  @Test func releasedServerEnds() async throws {
    let map = TestMap()
    var server: JourneyMapServer? = try await map.serve()
    let open = try page(#require(server))
    #expect(await open.data(with: "frames") != nil)
    server = nil
    for await _ in open.events {}
  }

  @Test func usedPortIsReported() async throws {
    let map = TestMap()
    let server = try await map.serve()
    let address = "127.0.0.1:\(try port(server))"
    let error = await failure(on: address, JourneyMapOptions())
    #expect(error?.message == "cannot listen on \(address): Address already in use")
    #expect(error?.hint == "pass another port; port 0 selects a free port")
    await server.close()
  }

  @Test func invalidAddressesAreReported() async throws {
    for address in ["", "127.0.0.1", ":80", "127.0.0.1:x", "host.example:0", "127.0.0.1:70000"] {
      let error = await failure(on: address, JourneyMapOptions())
      #expect(error?.message.hasPrefix("cannot listen on '") == true, "\(address)")
    }
    let remote = await failure(on: "0.0.0.0:0", JourneyMapOptions())
    #expect(
      "\(try #require(remote))"
        == "cannot listen on 0.0.0.0:0: other machines could read the page"
        + " (listen on 127.0.0.1, or set allowsRemote)")
  }

  @Test func remotePageHasAKey() async throws {
    let map = TestMap()
    var options = JourneyMapOptions()
    options.allowsRemote = true
    let server = try await map.serve(on: "0.0.0.0:0", options: options)
    let key = server.url.split(separator: "/").last ?? ""
    #expect(key.count == 32)
    let port = try port(server)
    #expect(try await onThread { try PageClient(port: port).get("/").status } == 404)
    #expect(try await OpenPage(port: port, root: "/\(key)/").data(with: "frames") != nil)
    await server.close()
  }

  @Test func originsOfIconsAreInThePolicy() async throws {
    let map = TestMap()
    var options = JourneyMapOptions()
    options.imageOrigins = ["https://icons.example"]
    let server = try await map.serve(options: options)
    let port = try port(server)
    let policy = try await onThread {
      try PageClient(port: port).get("/").headers["Content-Security-Policy"] ?? ""
    }
    #expect(policy.contains("img-src 'self' data: https://icons.example;"))
    await server.close()
    var wrong = JourneyMapOptions()
    wrong.imageOrigins = ["https://a; script-src *"]
    let error = await failure(wrong)
    #expect(error?.message == "invalid origin of images: 'https://a; script-src *'")
  }

  @Test func tilesAreShownAndAllowed() async throws {
    var options = JourneyMapOptions()
    options.tiles = "https://{s}.tiles.example/{z}/{x}/{y}.png"
    options.attribution = "</script>Example"
    options.imageOrigins = ["https://icons.example"]
    let server = try await TestMap().serve(options: options)
    let port = try port(server)
    let page = try await onThread { try PageClient(port: port).get("/") }
    let policy = page.headers["Content-Security-Policy"] ?? ""
    #expect(
      policy.contains("img-src 'self' data: https://icons.example https://*.tiles.example;"))
    #expect(page.text.contains(#""tiles":"https://{s}.tiles.example/{z}/{x}/{y}.png""#))
    #expect(page.text.contains(#""attribution":"\u003c/script>Example""#))
    await server.close()
    options.tiles = "https://tiles.example/{z}/{x}"
    let error = await failure(options)
    #expect(
      error?.message
        == "invalid tiles 'https://tiles.example/{z}/{x}': expected http:// or https://HOST/… with {z}, {x} and {y}"
    )
  }

  private func failure(
    on address: String = "127.0.0.1:0", _ options: JourneyMapOptions
  ) async -> JourneyMapError? {
    do {
      _ = try await TestMap().serve(on: address, options: options)
      return nil
    } catch {
      return error
    }
  }

  @Test func missingLeafletIsReported() async throws {
    var options = JourneyMapOptions()
    options.leafletDirectory = "/nonexistent"
    let error = await failure(options)
    #expect(
      error?.message
        == "/nonexistent: no such directory")
  }
}
