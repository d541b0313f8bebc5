package import WireHTTP2

extension Metadata {
  /// Creates metadata from received header fields.
  ///
  /// Omits pseudo-headers, `content-type` and gRPC's own names, except the two whose values are
  /// useful to callers. Nothing that a peer sends is an error: invalid Base64 is kept as text.
  package init(received fields: [HeaderField]) {
    self.init()
    for field in fields where Self.isMetadata(field.name) {
      guard field.name.hasSuffix("-bin") else {
        append(unchecked: field.name, .text(field.value), isSensitive: field.isSensitive)
        continue
      }
      // A proxy may have joined several values with commas (gRPC PROTOCOL-HTTP2, Custom-Metadata).
      let comma = UInt8(ascii: ",")
      for part in field.value.utf8.split(separator: comma, omittingEmptySubsequences: false) {
        let part = part.trimmingSpaces()
        append(
          unchecked: field.name, Base64.decode(part).map(Value.binary) ?? .text(String(part)),
          isSensitive: field.isSensitive)
      }
    }
  }

  /// Returns the metadata as header fields to send, without leading and trailing spaces in values.
  package func headerFields() -> [HeaderField] {
    entries.map { entry in
      HeaderField(entry.name, entry.value.headerValue, isSensitive: entry.isSensitive)
    }
  }

  private static func isMetadata(_ name: String) -> Bool {
    switch name.utf8.first {
    case UInt8(ascii: ":"): false
    case UInt8(ascii: "c"): name != "content-type"
    case UInt8(ascii: "g"):
      !name.utf8.starts(with: "grpc-".utf8) || name == "grpc-status-details-bin"
        || name == "grpc-trace-bin"
    default: true
    }
  }
}

extension String {
  fileprivate func trimmingSpaces() -> String {
    guard utf8.first == UInt8(ascii: " ") || utf8.last == UInt8(ascii: " ") else { return self }
    return String(utf8[...].trimmingSpaces())
  }
}

extension Metadata.Value {
  var headerValue: String {
    switch self {
    case .text(let text): text.trimmingSpaces()
    case .binary(let bytes): Base64.encode(bytes)
    }
  }

  /// The largest number of octets that ``headerValue`` can have.
  var encodedLength: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .binary(let bytes): (bytes.count + 2) / 3 * 4
    }
  }
}

extension Substring.UTF8View {
  fileprivate func trimmingSpaces() -> Substring {
    var text = self
    while text.first == UInt8(ascii: " ") { text.removeFirst() }
    while text.last == UInt8(ascii: " ") { text.removeLast() }
    return Substring(text)
  }
}
