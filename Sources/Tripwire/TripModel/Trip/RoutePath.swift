/// The way a vehicle is to take, in the form in which the server sent it: one piece for each stop on
/// it. Two are equal when their pieces are; ``points()`` decodes them.
public struct RoutePath: Sendable, Hashable {
  enum Piece: Sendable, Hashable {
    case points([LatLng])
    /// See ``Polyline/decode(_:)``.
    case encoded(String)
  }

  var pieces: [Piece] = []

  public var isEmpty: Bool { pieces.isEmpty }

  /// The points from the beginning to the end, each once where two pieces meet.
  ///
  /// - Throws: ``PolylineError`` when a piece cannot be decoded.
  public func points() throws(PolylineError) -> [LatLng] {
    guard pieces.count != 1, var points = try pieces.first?.points() else {
      return try pieces.first?.points() ?? []
    }
    for piece in pieces.dropFirst() {
      let more = try piece.points()
      points += more.first == points.last ? more.dropFirst() : more[...]
    }
    return points
  }

  /// Adds the piece that two fields of a message hold, one for each format.
  mutating func append(_ points: [LatLng], _ encoded: String) {
    if !points.isEmpty {
      pieces.append(.points(points))
    } else if !encoded.isEmpty {
      pieces.append(.encoded(encoded))
    }
  }
}

extension RoutePath.Piece {
  fileprivate func points() throws(PolylineError) -> [LatLng] {
    switch self {
    case .points(let points): points
    case .encoded(let text): try Polyline.decode(text)
    }
  }
}
