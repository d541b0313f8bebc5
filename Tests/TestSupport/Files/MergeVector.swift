/// Messages before and after Python's protobuf merged them: a line of Tests/Payloads/merges_*.txt,
/// which interop/make_merges.py writes.
public struct MergeVector: Sendable, CustomStringConvertible {
  public let messageName: String
  /// Paths with commas between them; nil when the whole message is merged.
  public let mask: String?
  public let replacesMessages: Bool
  public let replacesRepeated: Bool
  public let before: [UInt8]
  public let other: [UInt8]
  public let after: [UInt8]
  public let description: String

  public static func all(in name: String) throws -> [MergeVector] {
    try Payload.words(name).map(MergeVector.init)
  }

  private init(_ words: [String]) {
    messageName = words[0]
    mask = words[1] == "-" ? nil : words[1]
    replacesMessages = words[2].contains("m")
    replacesRepeated = words[2].contains("r")
    before = hex(words[3])
    other = hex(words[4])
    after = hex(words[5])
    description = words.joined(separator: " ")
  }
}
