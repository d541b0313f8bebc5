import WireProtobuf

typealias Request = Conformance_ConformanceRequest
typealias Response = Conformance_ConformanceResponse
typealias TestMessage = ProtobufTestMessages_Proto3_TestAllTypesProto3

/// Decodes the message in a request with the codec and encodes it in the requested format.
func answer(_ request: Request) -> Response.Result {
  guard request.messageType == TestMessage.messageName else {
    return .skipped("proto3 only")
  }
  let types = TypeRegistry([TestMessage.self])
  let message: TestMessage
  do {
    switch request.payload {
    case .protobufPayload(let bytes): message = try TestMessage(serializedBytes: bytes)
    case .jsonPayload(let text):
      var options = JSONDecodingOptions()
      options.types = types
      options.ignoresUnknownFields = request.testCategory == .jsonIgnoreUnknownParsingTest
      message = try TestMessage(jsonString: text, options: options)
    case .jspbPayload, .textPayload, nil: return .skipped("binary and JSON only")
    }
  } catch {
    return .parseError("\(error)")
  }
  switch request.requestedOutputFormat {
  case .protobuf: return .protobufPayload(message.serializedBytes())
  case .json:
    do {
      return .jsonPayload(try message.jsonString(options: JSONEncodingOptions(types: types)))
    } catch {
      return .serializeError("\(error)")
    }
  case .jspb, .textFormat, .unspecified, .unrecognized: return .skipped("binary and JSON only")
  }
}
