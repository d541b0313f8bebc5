/// The `content-type` of a response (gRPC PROTOCOL-HTTP2, Content-Type).
enum ContentType: Hashable {
  /// `application/grpc`, alone or followed by `+` or `;`.
  case grpc
  /// `application/grpc-web` or `application/grpc-web-text`, with or without a message format.
  case grpcWeb
  case almostGRPC
  case html
  case other

  init(_ value: String?) {
    // The fast path for the usual value.
    if value?.utf8.count == 16, value == "application/grpc" {
      self = .grpc
      return
    }
    guard let value else {
      self = .other
      return
    }
    if let rest = Self.rest(of: value, after: "application/grpc") {
      self =
        switch rest.first {
        case nil, UInt8(ascii: "+"), UInt8(ascii: ";"): .grpc
        default: Self.rest(of: value, after: "application/grpc-web") == nil ? .almostGRPC : .grpcWeb
        }
    } else {
      let isPage = ["text/html", "application/xhtml+xml"].contains {
        Self.rest(of: value, after: $0) != nil
      }
      self = isPage ? .html : .other
    }
  }

  /// Returns what follows a beginning in lower case; nil if the text does not have it.
  ///
  /// Compares bytes and stops at the first difference: Swift compares long runs of combining marks slowly.
  private static func rest(of text: String, after beginning: String) -> Substring.UTF8View? {
    var bytes = text.utf8[...]
    for expected in beginning.utf8 {
      guard bytes.popFirst()?.lowercased == expected else { return nil }
    }
    return bytes
  }
}

extension UInt8 {
  fileprivate var lowercased: UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self + 0x20 : self
  }
}
