public import JourneySharing

extension AsyncSequence where Self: Sendable, Element == Journey {
  /// Serves a page that shows the newest journey of each resource in browsers.
  ///
  /// The page keeps the last journeys after the end of the sequence, or after its error.
  ///
  /// - Parameters:
  ///   - address: `127.0.0.1:8080`; port 0 means any free port.
  ///   - options: access, base map and icons.
  ///   - onTap: called after a tap on a marker, on the server's thread. It must return soon.
  /// - Returns: the running server. Keep it as long as the page is to be served.
  /// - Throws: ``JourneyMapError`` if the address or an option is invalid, the address is in use or not
  ///   allowed, or Leaflet is missing.
  @concurrent public func serve(
    on address: String = "127.0.0.1:0", options: JourneyMapOptions = JourneyMapOptions(),
    onTap: @escaping @Sendable (JourneyMapTap) -> Void = { _ in }
  ) async throws(JourneyMapError) -> JourneyMapServer {
    let (states, continuation) = AsyncStream.makeStream(
      of: JourneyMapContents.self, bufferingPolicy: .bufferingNewest(1))
    let server = try JourneyMapServer(address, options, states: states, onTap: onTap)
    let reading = Task {
      var contents = JourneyMapContents()
      for try await journey in self {
        contents.show(journey)
        continuation.yield(contents)
      }
    }
    continuation.onTermination = { _ in reading.cancel() }
    return server
  }
}
