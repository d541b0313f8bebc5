/// The planned route of a vehicle in the format that the server sent: one piece for each stop on
/// it. Equality compares the pieces; ``points()`` decodes them.
public struct RoutePath: Sendable, Hashable {
  enum Piece: Sendable, Hashable {
    case points([LatLng])
    /// See ``Polyline/decode(_:)``.
    case encoded(String)
  }

  var pieces: [Piece] = []

  package init() {}

  /// Creates a path of one piece from the two fields of a message, one for each format.
  package init(_ points: [LatLng], _ encoded: String) { append(points, encoded) }

  /// Whether the server sent no route.
  public var isEmpty: Bool { pieces.isEmpty }

  /// Returns the points from start to end. A point where two pieces meet is included once.
  ///
  /// - Throws: ``PolylineError`` if a piece cannot be decoded.
  public func points() throws(PolylineError) -> [LatLng] {
    guard var points = try pieces.first?.points() else { return [] }
    for piece in pieces.dropFirst() {
      let more = try piece.points()
      points += more.first == points.last ? more.dropFirst() : more[...]
    }
    return points
  }

  /// Adds a piece from the two fields of a message, one for each format.
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
