import WireProtobuf

/// The format of a file that is not a gRPC binary log, detected by its first bytes. None of the
/// signatures is a valid entry length.
package enum FileKind {
  case json
  case text
  case capture(String)
  /// - Parameter action: how to decode it, and the command that writes the decoded data to stdout.
  case encoded(String, action: String)
  case other(String)

  /// Nil if the format is unknown.
  package init?(_ bytes: [UInt8]) {
    if let kind = Self.signatures.first(where: { bytes.starts(with: $0.bytes) })?.kind {
      self = kind
    } else if Self.isText(bytes) {
      self = Self.isJSON(bytes) ? .json : .text
    } else {
      return nil
    }
  }

  /// The name for messages, such as "JSON" or "a pcap file".
  package var name: String {
    switch self {
    case .json: "JSON"
    case .text: "text"
    case .capture(let name), .encoded(let name, _), .other(let name): name
    }
  }

  var isJSON: Bool { if case .json = self { true } else { false } }

  /// Returns one action for the user; nil if there is none.
  ///
  /// - Parameter path: the path as the user gave it.
  package func hint(_ path: String) -> String? {
    switch self {
    case .capture: "make a gRPC binary log with --record FILE"
    case .encoded(_, let action): action + (path == BinaryLogSource.standardInput ? "" : " " + path)
    case .json, .text, .other: nil
    }
  }

  private static let zip = FileKind.encoded("zip", action: "decompress it first: unzip -p")
  private static let utf16 = FileKind.encoded(
    "UTF-16", action: "convert it first: iconv -f UTF-16 -t UTF-8")

  private static let signatures: [(bytes: [UInt8], kind: FileKind)] = [
    ([0xd4, 0xc3, 0xb2, 0xa1], .capture("a pcap file")),
    ([0xa1, 0xb2, 0xc3, 0xd4], .capture("a pcap file")),
    ([0x4d, 0x3c, 0xb2, 0xa1], .capture("a pcap file")),
    ([0xa1, 0xb2, 0x3c, 0x4d], .capture("a pcap file")),
    ([0x0a, 0x0d, 0x0d, 0x0a], .capture("a pcapng file")),
    ([0x28, 0xb5, 0x2f, 0xfd], .encoded("zstd", action: "decompress it first: zstd -dc")),
    ([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], .encoded("xz", action: "decompress it first: xz -dc")),
    (Array("BZh".utf8), .encoded("bzip2", action: "decompress it first: bzip2 -dc")),
    (Array("PK\u{3}\u{4}".utf8), zip), (Array("PK\u{5}\u{6}".utf8), zip),
    (Array("PK\u{7}\u{8}".utf8), zip), ([0xff, 0xfe], utf16), ([0xfe, 0xff], utf16),
    ([0x7f] + Array("ELF".utf8), .other("an executable")),
  ]

  private static let spaces: [UInt8] = [0x20, 0x09, 0x0a, 0x0d]

  /// Whether there are no control characters except white space, and the first bytes are not a
  /// length.
  private static func isText(_ bytes: [UInt8]) -> Bool {
    guard let first = bytes.first, first < 0x80 || bytes.starts(with: JSONScanner.byteOrderMark)
    else { return false }
    return bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7f || spaces.contains($0) || $0 == 0x0c }
  }

  private static func isJSON(_ bytes: [UInt8]) -> Bool {
    let mark = JSONScanner.byteOrderMark
    let start = bytes.starts(with: mark) ? mark.count : 0
    let first = bytes[start...].first { !spaces.contains($0) }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }
}
