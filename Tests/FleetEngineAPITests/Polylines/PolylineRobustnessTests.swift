import TestSupport
import Testing

@testable import FleetEngineAPI

/// Any text is decoded or rejected, and decoded points have valid coordinates.
@Suite struct PolylineRobustnessTests {
  static let texts =
    S2PolylineTests.samples.map(\.text) + EncodedPolylineTests.samples.map(\.text)

  @Test(arguments: texts) func everyPrefixIsDecodedOrRejected(_ text: String) {
    for length in 0...text.utf8.count { tryAll(String(text.prefix(length))) }
  }

  @Test(arguments: texts) func everyReplacedCharacterIsDecodedOrRejected(_ text: String) {
    for index in text.utf8.indices {
      for character in UInt8(0)..<128 {
        var bytes = Array(text.utf8)
        bytes[text.utf8.distance(from: text.utf8.startIndex, to: index)] = character
        tryAll(String(decoding: bytes, as: UTF8.self))
      }
    }
  }

  @Test func everyReplacedByteOfS2PolylinesIsDecodedOrRejected() throws {
    for vector in try PolylineVector.s2() where vector.text.utf8.count < 26 {
      let bytes = try PolylineBase64.decode(vector.text)
      for index in bytes.indices {
        for byte in UInt8.min...UInt8.max {
          var changed = bytes
          changed[index] = byte
          tryAll(PolylineBase64.encode(changed))
        }
      }
    }
  }

  @Test func randomTextsAreDecodedOrRejected() {
    var random = SplitMix(state: 2_026)
    var read = 0
    for _ in 0..<200_000 {
      let length = Int.random(in: 0...24, using: &random)
      var bytes = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &random) }
      // Half of the texts have a valid header.
      if length > 3, bytes[0] < 128 {
        bytes.replaceSubrange(0..<3, with: [2, bytes[1] % 31, bytes[2] % 8])
      }
      read += tryAll(PolylineBase64.encode(bytes)) ? 1 : 0
    }
    #expect(read > 100)
  }

  /// Returns whether any decoder accepts the text.
  @discardableResult
  private func tryAll(_ text: String) -> Bool {
    let lines = [
      try? S2Polyline.decode(text), try? EncodedPolyline.decode(text),
      try? EncodedPolyline.decode(text, precision: .sixDecimals), try? Polyline.decode(text),
    ].compactMap { $0 }
    let points = lines.joined()
    if !points.allSatisfy(\.isOnGlobe) { Issue.record("\(text) is off the globe: \(lines)") }
    if points.count > 4 * text.utf8.count { Issue.record("\(text) grows: \(points.count) points") }
    return !lines.isEmpty
  }
}
