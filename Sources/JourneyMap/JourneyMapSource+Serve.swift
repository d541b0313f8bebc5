public import JourneySharing

extension JourneyMapSource {
  /// Serves a page that shows the map in browsers, as it is and as it changes. Taps on its markers are
  /// reported to the map.
  ///
  /// The server does not keep the map alive. Once the map is released, the page no longer changes.
  ///
  /// - Parameters:
  ///   - address: `127.0.0.1:8080`; port 0 means any free port.
  ///   - options: access, base map and icons.
  /// - Returns: the running server. Keep it as long as the page is to be served.
  /// - Throws: ``JourneyMapError`` if the address or an option is invalid, the address is in use or not
  ///   allowed, or Leaflet is missing.
  @concurrent public func serve(
    on address: String = "127.0.0.1:0", options: JourneyMapOptions = JourneyMapOptions()
  ) async throws(JourneyMapError) -> JourneyMapServer {
    let (states, continuation) = AsyncStream.makeStream(
      of: JourneyMapContents.self, bufferingPolicy: .bufferingNewest(1))
    let server = try JourneyMapServer(address, options, states: states) { [weak self] tap in
      self?.receive(tap)
    }
    observe { contents in
      if case .terminated = continuation.yield(contents) { false } else { true }
    }
    return server
  }
}
