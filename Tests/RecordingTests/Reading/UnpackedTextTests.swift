import TestSupport
import Testing
import WireGRPC
import WireSystem

@testable import Recording

@Suite struct UnpackedTextTests {
  @Test(arguments: [false, true])
  func limitsTheContent(isPacked: Bool) throws {
    let text = [UInt8](repeating: 0x20, count: 1_000)
    let bytes = isPacked ? try #require(Deflater.gzip(text)) : text
    try withTemporaryFile(bytes[...]) { path in
      let whole = try UnpackedText(of: path, limit: 1_000)
      #expect(try whole.next() == text && whole.next().isEmpty)
      #expect((whole.count, whole.size) == (1_000, isPacked ? nil : 1_000))
      let error = #expect(throws: BinaryLogError.self) {
        try UnpackedText(of: path, limit: 999).next()
      }
      #expect(error?.fileError == .tooLarge(limit: 999))
    }
  }
}
