/// What the `content-type` of an answer says about it (gRPC PROTOCOL-HTTP2, Content-Type).
package enum ContentType: Hashable {
  /// `application/grpc`, alone or followed by `+` or `;`.
  case grpc
  /// Something else that begins so, as `application/grpc-web`.
  case almostGRPC
  case other

  package init(_ value: String?) {
    let name = "application/grpc"
    // No more of it matters. Swift takes long to compare a long run of accents.
    let beginning = value.map {
      String(decoding: $0.utf8.prefix(name.utf8.count + 1), as: UTF8.self)
    }
    guard let value = beginning?.lowercased(), value.hasPrefix(name) else {
      self = .other
      return
    }
    switch value.dropFirst(name.count).first {
    case nil, "+", ";": self = .grpc
    default: self = .almostGRPC
    }
  }
}
