import JourneySharing
import WireProtobuf
import WireSystem

/// Finds the markers that the page reports as tapped.
final class TapReceiver: Sendable {
  private let shown = Locked(JourneyMapContents())
  private let onTap: @Sendable (JourneyMapTap) -> Void

  init(_ onTap: @escaping @Sendable (JourneyMapTap) -> Void) {
    self.onTap = onTap
  }

  var contents: JourneyMapContents {
    get { shown.withLock { $0 } }
    set { shown.withLock { $0 = newValue } }
  }

  /// Ignores a tap on a marker that is not shown, or no longer.
  ///
  /// - Parameter json: `{"trip":"providers/p/trips/t","kind":"intermediateDestination","index":0}`; the
  ///   trip is null for a place of the map itself.
  func receive(_ json: [UInt8]) {
    guard let tap = try? Struct(jsonUTF8Bytes: json),
      let kind = tap.text("kind").flatMap(Journey.Marker.Kind.init(rawValue:))
    else { return }
    let index = tap.number("index").flatMap(Int.init(exactly:))
    let trip = tap.text("trip")
    let contents = contents
    let markers = trip.map { name in
      contents.journeys.first { $0.name == name }?.markers ?? []
    }
    guard
      let marker = (markers ?? contents.places).first(where: {
        $0.kind == kind && $0.index == index
      })
    else { return }
    onTap(JourneyMapTap(tripName: trip, marker: marker))
  }
}
