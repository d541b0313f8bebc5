/// The `content-type` of a response (gRPC PROTOCOL-HTTP2, Content-Type).
enum ContentType: Hashable {
  /// `application/grpc`, alone or followed by `+` or `;`.
  case grpc
  /// Another type that starts with `application/grpc`, such as `application/grpc-web`.
  case almostGRPC
  case other

  init(_ value: String?) {
    // The fast path for the usual value.
    if value?.utf8.count == 16, value == "application/grpc" {
      self = .grpc
      return
    }
    // Compares bytes and stops at the first difference: Swift compares long runs of combining marks
    // slowly.
    var bytes = value?.utf8.makeIterator()
    for expected in "application/grpc".utf8 {
      guard let byte = bytes?.next(), byte == expected || byte.lowercased == expected else {
        self = .other
        return
      }
    }
    switch bytes?.next() {
    case nil, UInt8(ascii: "+"), UInt8(ascii: ";"): self = .grpc
    default: self = .almostGRPC
    }
  }
}

extension UInt8 {
  fileprivate var lowercased: UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self + 0x20 : self
  }
}
