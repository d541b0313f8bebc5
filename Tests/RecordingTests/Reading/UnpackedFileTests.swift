import TestSupport
import Testing
import WireGRPC
import WireSystem

@testable import Recording

@Suite struct UnpackedFileTests {
  /// - Parameters:
  ///   - begun: the number of bytes that were read before.
  ///   - defect: the expected end of the message about damage.
  private static func read(
    _ bytes: [UInt8], begun: Int = 0, defect: String? = nil
  ) throws -> [UInt8] {
    try withTemporaryFile(bytes.dropFirst(begun)) { path in
      let source = BinaryLogSource(
        path: path, try LocalFile(path), after: Array(bytes.prefix(begun)))
      let file = UnpackedFile(source)
      var read: [UInt8] = []
      while true {
        let chunk = try file.next()
        guard !chunk.isEmpty else {
          #expect(file.damage == defect.map { "the gzip data is damaged at byte \($0)" })
          return read
        }
        #expect(chunk.count <= 1 << 17)
        read += chunk
      }
    }
  }

  private static func packed(_ bytes: [UInt8]) throws -> [UInt8] {
    try #require(Deflater.gzip(bytes))
  }

  @Test(arguments: [0, 1, 2, 30])
  func readsCompressedAndUncompressedFiles(begun: Int) throws {
    // More than one chunk, compressed or not.
    var random = SplitMix(state: 7)
    let noise = (0..<200_000).map { _ in UInt8(truncatingIfNeeded: random.next()) & 0x3f }
    let zeros = [UInt8](repeating: 0, count: 2_000_000)
    #expect(try Self.read(noise, begun: begun) == noise)
    #expect(try Self.read(Self.packed(noise), begun: begun) == noise)
    #expect(try Self.read(Self.packed(noise) + Self.packed(zeros), begun: begun) == noise + zeros)
    #expect(try Self.read([], begun: 0) == [])
    #expect(try Self.read([0x1f], begun: 0) == [0x1f])
  }

  @Test func readsTheDataBeforeTheDamage() throws {
    var random = SplitMix(state: 7)
    let bytes = (0..<200_000).map { _ in UInt8(truncatingIfNeeded: random.next()) & 0x3f }
    let packed = try Self.packed(bytes)
    var flipped = packed
    flipped[packed.count - 8] ^= 1
    let early = "unexpected end of file"
    let count = packed.count
    let cases: [([UInt8], String?)] = [
      (packed.dropLast(), "\(count - 1): \(early)"),
      (flipped, "\(count - 4): incorrect data check"),
      (packed + [1], "\(count): unexpected data after the end"),
      (packed + [0x1f], "\(count + 1): \(early)"),
      (
        packed + [0x1f, 0x8b, 99, 0, 0, 0, 0, 0, 0, 0],
        "\(count + 4): unknown compression method"
      ),
      (packed + [UInt8](repeating: 0, count: 512), nil),
    ]
    for (file, defect) in cases { #expect(try Self.read(file, defect: defect) == bytes) }
    #expect(try Self.read(Array(packed.prefix(2)), defect: "2: \(early)") == [])
    let half = try Self.read(
      Array(packed.prefix(count / 2)), defect: "\(count / 2): \(early)")
    #expect(half.count > 90_000 && bytes.starts(with: half))
  }
}
