import Testing

@testable import CommandLine

@Suite struct NearestTests {
  private let commands = ["get", "log", "replay", "follow", "token"]

  @Test(arguments: [
    ("gte", "get"), ("gett", "get"), ("ge", "get"), ("replya", "replay"), ("repaly", "replay"),
    ("folow", "follow"), ("tokne", "token"), ("rep", "replay"), ("fol", "follow"),
    ("GET", "get"), ("Folow", "follow"), ("REPLYA", "replay"),
  ])
  func findsTheNearestWord(word: String, meant: String) {
    #expect(nearest(to: word, among: commands) == meant)
  }

  @Test func selectsTheFirstOfEquallyNearCandidates() {
    #expect(nearest(to: "cat", among: ["dog", "cut", "cot", "cap"]) == "cut")
    #expect(nearest(to: "cat", among: ["cot", "cuts", "act"]) == "cot")
  }

  @Test func oneLetterIsNearNoOtherLetter() {
    #expect(nearest(to: "b", among: ["a", "c"]) == nil)
  }

  @Test(arguments: ["", "xyzzy", "foo", "delete", "providers/p/trips/t1"])
  func returnsNilForDistantWords(word: String) {
    #expect(nearest(to: word, among: commands) == nil)
  }

  @Test(arguments: [
    ("--timout", "--timeout"), ("--time-out", "--timeout"), ("--endpont", "--endpoint"),
    ("--plain", "--plaintext"), ("--plaintxt", "--plaintext"), ("--recrod", "--record"),
    ("--protosets", "--protoset"), ("--protset", "--protoset"), ("--insecure-skip", nil),
    ("--protocol", nil), ("--recover", nil), ("--x", nil),
  ])
  func dashesOfAnOptionDoNotCount(word: String, meant: String?) {
    let options = ["--timeout", "--endpoint", "--plaintext", "--record", "--protoset"]
    #expect(nearest(to: word, among: options) == meant)
  }
}
