import WireSystem

/// The files of Tests/Payloads, which other implementations wrote.
public enum Payload {
  public static func bytes(_ name: String) throws(MissingFile) -> [UInt8] {
    try contents("Tests/Payloads/" + name)
  }

  /// A file by its path in the repository.
  public static func contents(_ path: String) throws(MissingFile) -> [UInt8] {
    let path = repositoryPath(path)
    guard let file = fopen(path, "r") else { throw MissingFile(path: path) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 {
      bytes += chunk[..<count]
    }
    return bytes
  }

  public struct MissingFile: Error {
    let path: String
  }

  /// The words of each line of a text file.
  public static func words(_ name: String) throws(MissingFile) -> [[String]] {
    String(decoding: try bytes(name), as: UTF8.self).split(separator: "\n").map { line in
      line.split(separator: " ").map(String.init)
    }
  }
}

/// Messages before and after Python's protobuf merged them: a line of Tests/Payloads/merges_*.txt,
/// which interop/make_merges.py wrote.
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
    before = Self.bytes(words[3])
    other = Self.bytes(words[4])
    after = Self.bytes(words[5])
    description = words.joined(separator: " ")
  }

  private static func bytes(_ digits: String) -> [UInt8] {
    let values = digits.compactMap(\.hexDigitValue)
    return stride(from: 0, to: values.count, by: 2).map {
      UInt8(values[$0] << 4 | values[$0 + 1])
    }
  }
}
