import Tripwire

extension [LatLng] {
  /// The line in pieces that do not cross the antimeridian (RFC 7946 §3.1.9). Between two points
  /// more than half the globe apart the line takes the shorter way, across it.
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
    // A point on the antimeridian may be written as one of the other side.
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
  /// The latitude at which the segment to a point on the other side crosses the antimeridian.
  fileprivate func latitudeAtAntimeridian(to point: LatLng, _ edge: Double) -> Double {
    let toEdge = (edge - longitude).magnitude
    let beyond = (-edge - point.longitude).magnitude
    guard toEdge + beyond > 0 else { return latitude }
    return latitude + (point.latitude - latitude) * toEdge / (toEdge + beyond)
  }
}
