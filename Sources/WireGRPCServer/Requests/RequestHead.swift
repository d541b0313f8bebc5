import WireGRPC
import WireHTTP2

/// The header list of a gRPC request (gRPC PROTOCOL-HTTP2, Requests).
package struct RequestHead: Equatable {
  /// "/package.Service/Method"
  package var path: String
  /// How long the client waits; nil means without limit.
  var timeout: Duration?
  var coding: ContentCoding
  /// Nil if there is none.
  package var token: BearerToken?

  /// Throws the response to a request that is not gRPC.
  init(_ fields: [HeaderField]) throws(Refusal) {
    let type = fields.value(of: "content-type") ?? ""
    guard Self.isProtobuf(type) else {
      throw Refusal(
        .unknown, "content-type \"\(type.shortened(to: 64))\" is not application/grpc",
        httpStatus: 415)
    }
    guard fields.value(of: ":method") == "POST" else {
      throw Refusal(.internal, "a gRPC request has the method POST", httpStatus: 405)
    }
    path = fields.value(of: ":path") ?? ""
    guard Self.isMethod(path) else {
      throw Refusal(.unimplemented, "path \"\(path.shortened(to: 64))\" is not /service/method")
    }
    if let text = fields.value(of: "grpc-timeout") {
      timeout = Timeout.decode(text)
      guard timeout != nil else {
        throw Refusal(.internal, "grpc-timeout \"\(text.shortened(to: 16))\" is malformed")
      }
    }
    token = fields.value(of: "authorization").flatMap(BearerToken.init(credentials:))
    coding = ContentCoding(fields.value(of: "grpc-encoding"))
    if case .unsupported(let name) = coding {
      throw Refusal(
        .unimplemented,
        "grpc-encoding \"\(name.shortened(to: 16))\" is none of \(ContentCoding.accepted)")
    }
  }

  /// Whether a path has the form "/service/method". The method may contain anything.
  static func isMethod(_ path: String) -> Bool {
    let octets = path.utf8
    let slash = UInt8(ascii: "/")
    guard octets.first == slash, let second = octets.dropFirst().firstIndex(of: slash) else {
      return false
    }
    return second != octets.index(after: octets.startIndex)
      && octets.index(after: second) != octets.endIndex
  }

  private static func isProtobuf(_ type: String) -> Bool {
    if type == "application/grpc" { return true }
    let essence = type.lowercased().prefix { $0 != ";" && $0 != " " }
    return essence == "application/grpc" || essence == "application/grpc+proto"
  }
}
