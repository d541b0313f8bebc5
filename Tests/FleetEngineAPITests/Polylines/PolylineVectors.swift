import FleetEngineAPI
import TestSupport
import Testing

/// A polyline with its points, from another implementation.
struct PolylineVector: CustomTestStringConvertible, Sendable {
  var text: String
  var points: [LatLng]
  /// The precision of an encoded polyline in decimals.
  var decimals = 5

  var testDescription: String { String(text.prefix(40)) }

  /// S2 polylines written by the C++ library S2.
  static func s2() throws -> [PolylineVector] {
    try lines(of: "vectors.txt").map { words in
      try PolylineVector(text: String(words[0]), points: words.dropFirst().map(point))
    }
  }

  /// Encoded polylines written by the PyPI package `polyline`.
  static func encoded() throws -> [PolylineVector] {
    try lines(of: "encoded.txt").map { words in
      try PolylineVector(
        text: String(words[1]), points: words.dropFirst(2).map(point),
        decimals: try #require(Int(words[0])))
    }
  }

  private static func lines(of file: String) throws -> [[Substring]] {
    String(decoding: try Payload.contents("interop/polylines/" + file), as: UTF8.self)
      .split(separator: "\n").filter { !$0.hasPrefix("#") }.map { $0.split(separator: " ") }
  }

  private static func point(_ text: Substring) throws -> LatLng {
    let numbers = text.split(separator: ",").compactMap { Double($0) }
    try #require(numbers.count == 2, "\(text)")
    return LatLng(latitude: numbers[0], longitude: numbers[1])
  }
}

/// Returns the greatest difference of two lines in degrees; infinite if their lengths differ.
func separation(_ a: [LatLng], _ b: [LatLng]) -> Double {
  if a.count != b.count { return .infinity }
  return zip(a, b).map {
    max(abs($0.latitude - $1.latitude), abs($0.longitude - $1.longitude))
  }.max() ?? 0
}
