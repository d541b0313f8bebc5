import DynamicProtobuf
import WireGRPC
import WireProtobuf

extension ErrorDetail {
  /// Returns the detail as canonical JSON of a google.protobuf.Any: "@type" and its fields. An unknown
  /// type has its bytes in base64 as "value".
  ///
  /// - Parameter types: those of other details than google.rpc's.
  func json(_ types: DetailTypes) -> String {
    if case .other(let any) = self {
      types.pool.flatMap(any.json(in:)) ?? Self.json(any.typeUrl, bytes: any.value)
    } else {
      Self.json(message)
    }
  }

  private static func json<Detail: Message>(_ detail: Detail) -> String {
    let type = "type.googleapis.com/\(Detail.messageName)"
    // JSON cannot express all times; then the bytes are shown.
    guard let object = try? detail.jsonString() else {
      return json(type, bytes: detail.serializedBytes())
    }
    return JSONWriter.object { json in
      json.member("@type", type)
      json.members(ofObject: object)
    }
  }

  private static func json(_ type: String, bytes: [UInt8]) -> String {
    JSONWriter.object { json in
      json.member("@type", type)
      json.member("value", base64: bytes)
    }
  }
}
