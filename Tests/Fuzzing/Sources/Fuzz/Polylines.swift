import FleetEngineAPI
import WireProtobuf

/// Decodes a polyline in one of the formats; for S2 also from the bytes before base64.
func decodePolyline(format: UInt8, _ input: [UInt8]) {
  let text = String(decoding: input, as: UTF8.self)
  switch format % 4 {
  case 0: check(text, .fiveDecimals)
  case 1: check(text, .sixDecimals)
  case 2: check(s2: text)
  default: check(s2: (try? BytesValue(value: input).jsonString().filter { $0 != "\"" }) ?? "")
  }
}

private func check(_ text: String, _ precision: EncodedPolyline.Precision) {
  guard let points = try? EncodedPolyline.decode(text, precision: precision) else { return }
  let again = decoded { () throws(PolylineError) in
    try EncodedPolyline.decode(
      EncodedPolyline.encode(points, precision: precision), precision: precision)
  }
  require(again == points, "the points changed")
}

private func check(s2 text: String) {
  guard let points = try? S2Polyline.decode(text) else { return }
  // The centers of the smallest cells do not move.
  let centers = decoded { () throws(PolylineError) in
    try S2Polyline.decode(S2Polyline.encode(points, level: 30))
  }
  require(centers.count == points.count, "the number of points changed")
}
