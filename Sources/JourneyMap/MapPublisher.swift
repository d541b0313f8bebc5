import HTTPServer
import JourneySharing
import MapPage

/// Sends the contents of a map to the pages, as far as they have changed.
struct MapPublisher {
  private let server: HTTPServer
  private var icons: IconTable
  private var shown = JourneyMapContents()
  /// The frames about the map itself that were sent last, by their names.
  private var sent: [String: [UInt8]] = [:]

  init(_ server: HTTPServer, imageOrigins: [String]) {
    self.server = server
    icons = IconTable(origins: imageOrigins)
  }

  mutating func publish(_ contents: JourneyMapContents) {
    let markers = contents.journeys.flatMap(\.markers) + contents.places
    icons.update(Set(markers.compactMap(\.style.icon)))
    send("icons", MapState.icons(icons))
    // Like the SDK's camera, the page's follows the journeys if there are any.
    send(
      "places",
      MapState.places(
        icons.applied(to: contents.places),
        areInView: contents.journeys.allSatisfy { $0.camera == nil }))
    send("view", MapState.view(of: contents))
    let names = Set(contents.tripNames)
    for name in shown.tripNames where !names.contains(name) { server.remove(name) }
    let known = Dictionary(
      contents.journeys.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    let before = Dictionary(shown.journeys.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    let namesBefore = Set(shown.tripNames)
    for name in contents.tripNames where !name.hasPrefix(Self.mark) {
      guard known[name] != before[name] || !namesBefore.contains(name) else { continue }
      server.publish(name, known[name].map(frame) ?? Array("null".utf8))
    }
    shown = contents
  }

  /// Begins the names of frames that belong to no trip.
  private static let mark = "\u{0}"

  private mutating func send(_ name: String, _ json: [UInt8]) {
    guard sent[name] != json else { return }
    sent[name] = json
    server.publish(Self.mark + name, json)
  }

  private func frame(_ journey: Journey) -> [UInt8] {
    var journey = journey
    journey.markers = icons.applied(to: journey.markers)
    return MapFrame.json(of: journey)
  }
}
