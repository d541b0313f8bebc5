import Tripwire

extension [LatLng] {
  /// The line in pieces none of which goes over the antimeridian (RFC 7946 §3.1.9): between two points
  /// more than half the globe apart the way is the other one, over it.
  func cutAtAntimeridian() -> [[LatLng]] {
    var pieces: [[LatLng]] = []
    var piece: [LatLng] = []
    for point in self {
      if let last = piece.last, (point.longitude - last.longitude).magnitude > 180 {
        let edge: Double = last.longitude > 0 ? 180 : -180
        let latitude = last.latitudeAtAntimeridian(to: point, edge)
        piece.append(LatLng(latitude: latitude, longitude: edge))
        pieces.append(piece)
        piece = [LatLng(latitude: latitude, longitude: -edge)]
      }
      piece.append(point)
    }
    pieces.append(piece)
    guard pieces.count > 1 else { return [self] }
    // A point on the antimeridian may have been written as of its other side.
    let lines = pieces.map(\.withoutRepetitions).filter { $0.count > 1 }
    return lines.isEmpty ? [self] : lines
  }

  private var withoutRepetitions: [LatLng] {
    reduce(into: []) { line, point in
      if line.last != point { line.append(point) }
    }
  }
}

extension LatLng {
  /// Where the way to a point on the other side is over the antimeridian.
  fileprivate func latitudeAtAntimeridian(to point: LatLng, _ edge: Double) -> Double {
    let toEdge = (edge - longitude).magnitude
    let beyond = (-edge - point.longitude).magnitude
    guard toEdge + beyond > 0 else { return latitude }
    return latitude + (point.latitude - latitude) * toEdge / (toEdge + beyond)
  }
}
