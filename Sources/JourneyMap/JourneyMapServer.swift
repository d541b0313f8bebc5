import HTTPServer
import JourneySharing
import MapPage
import WireGRPC

/// A page that shows a map in browsers.
///
/// It is served until ``close()``, or until the last reference to this object is released. Several maps
/// can be served at the same time.
public final class JourneyMapServer: Sendable {
  private let server: HTTPServer
  private let publishing: Task<Void, Never>

  /// The address of the page: `http://127.0.0.1:41234/`. It is a secret if it contains a key.
  public var url: String { server.url }
  /// The number of open pages.
  public var pageCount: Int { server.connectedPages }

  /// - Parameter states: the contents of the map; the newest is shown.
  init(
    _ address: String, _ options: JourneyMapOptions,
    states: AsyncStream<JourneyMapContents>,
    onTap: @escaping @Sendable (JourneyMapTap) -> Void
  ) throws(JourneyMapError) {
    let taps = TapReceiver(onTap)
    let server = try Self.start(address, options, taps)
    self.server = server
    publishing = Task {
      var publisher = MapPublisher(server, imageOrigins: options.imageOrigins)
      for await contents in states {
        taps.contents = contents
        publisher.publish(contents)
      }
    }
  }

  private static func start(
    _ address: String, _ options: JourneyMapOptions, _ taps: TapReceiver
  ) throws(JourneyMapError) -> HTTPServer {
    guard let place = try? HostAndPort(address, lowestPort: 0), let port = place.port else {
      throw JourneyMapError(
        "cannot listen on '\(address)': not HOST:PORT", hint: "use an address such as 127.0.0.1:0")
    }
    let tiles = try tiles(options)
    var serverOptions = HTTPServerOptions(files: try files(options, tiles))
    serverOptions.host = place.host == "localhost" ? "127.0.0.1" : place.host
    serverOptions.port = port
    serverOptions.imageSources = options.imageOrigins + (tiles.map { [$0.address.origin] } ?? [])
    serverOptions.handler = .taps { taps.receive($0) }
    if options.allowsRemote { serverOptions.allowOtherMachines() }
    return try mapError(HTTPServer(serverOptions)) { (error: HTTPServerError) in
      let isKeyMissing = if case .keyMissing = error { true } else { false }
      return JourneyMapError(
        "\(error)", hint: isKeyMissing ? "listen on 127.0.0.1, or set allowsRemote" : error.hint)
    }
  }

  private static func tiles(
    _ options: JourneyMapOptions
  ) throws(JourneyMapError) -> PageOptions.Tiles? {
    guard let address = options.tiles else { return nil }
    let parsed = try mapError(TileAddress(address)) { (error: TileAddress.Invalid) in
      JourneyMapError(
        "invalid tiles '\(address)': \(error.reason)",
        hint: error.hint ?? "use an address such as https://tiles.example.com/{z}/{x}/{y}.png")
    }
    return PageOptions.Tiles(address: parsed, attribution: options.attribution)
  }

  private static func files(
    _ options: JourneyMapOptions, _ tiles: PageOptions.Tiles?
  ) throws(JourneyMapError) -> [ServedFile] {
    let directory = options.leafletDirectory
    let leaflet = try mapError(LeafletFiles(in: directory)) { (error: LeafletError) in
      JourneyMapError(
        (directory.map { "\($0): " } ?? "") + error.message,
        hint: "install the package libjs-leaflet, or set leafletDirectory")
    }
    return ServedFile.page(leaflet, PageOptions(tiles: tiles, isOfApp: true))
  }

  deinit {
    publishing.cancel()
    server.stop()
  }

  /// Notifies the open pages that the app has stopped, waits up to 300 ms for them to receive this, and
  /// frees the port. Further calls do nothing.
  @concurrent public func close() async {
    publishing.cancel()
    server.finish()
    // Then the source of the journeys knows that nobody reads them.
    await publishing.value
  }
}
