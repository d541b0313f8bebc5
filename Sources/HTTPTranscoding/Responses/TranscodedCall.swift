import DynamicProtobuf
import WireProtobuf

/// A call of a method that an HTTP request asks for.
package struct TranscodedCall: Sendable {
  /// That of the method: `/maps.fleetengine.v1.TripService/GetTrip`.
  package let path: String
  /// In binary form.
  package let request: [UInt8]
  /// The OAuth token of a parameter; nil for none.
  package let token: String?
  let format: ResponseFormat

  /// Returns the JSON of a response in binary form.
  package func json(_ response: [UInt8]) throws -> [UInt8] { try format.json(response) }
}

/// How a response is written.
struct ResponseFormat: Sendable {
  let type: MessageDescriptor
  /// The field that is the body; nil for the whole response.
  let field: DynamicProtobuf.FieldDescriptor?
  let pool: DescriptorPool
  /// Nil for all fields.
  let selection: FieldSelection?
  let isPretty: Bool
  let numbersEnums: Bool

  fileprivate func json(_ response: [UInt8]) throws -> [UInt8] {
    var unknown = 0
    var message = try DynamicMessage(
      serializedBytes: response, as: type, in: pool,
      options: DecodingOptions(recursionLimit: 200, memoryFactor: .max), unknownFieldCount: &unknown
    )
    if let selection { message.keep(selection) }
    if let field {
      guard case .message(let inner)? = message.value(of: field) else { return Array("{}".utf8) }
      message = inner
    }
    return try message.jsonUTF8Bytes(
      options: DynamicJSONOptions(
        pretty: isPretty, showsUnknownTypes: true, numbersEnums: numbersEnums))
  }
}
