import Testing

@testable import WireGRPC

@Suite struct StatusMessageTests {
  @Test(
    arguments: [
      ("", ""), ("plain text ~", "plain text ~"), ("100%", "100%25"),
      (" a b ", "%20a b%20"), ("   ", "%20%20%20"), ("  é", "%20%20%C3%A9"), ("a ", "a%20"),
      ("trip ✓ not found", "trip %E2%9C%93 not found"), ("a\nb\u{7F}", "a%0Ab%7F"),
      (
        "\t\ntest with whitespace\r\nand Unicode BMP ☺ and non-BMP 😈\t\n",
        "%09%0Atest with whitespace%0D%0Aand Unicode BMP %E2%98%BA and non-BMP %F0%9F%98%88%09%0A"
      ),
    ])
  func encodesAndDecodes(_ text: String, _ coded: String) {
    #expect(StatusMessage.encode(text) == coded)
    #expect(StatusMessage.decode(coded) == text)
  }

  @Test(
    "invalid sequences stay",
    arguments: [
      ("100%", "100%"), ("%", "%"), ("%4", "%4"), ("%zz", "%zz"), ("%4g%41", "%4gA"),
      ("%%41", "%A"), ("%e2%9c%93", "✓"), ("%FF", "\u{FFFD}"), ("raw ✓", "raw ✓"),
      ("raw ✓ %41", "raw ✓ A"),
    ])
  func decodesInvalidSequences(_ coded: String, _ text: String) {
    #expect(StatusMessage.decode(coded) == text)
  }
}
