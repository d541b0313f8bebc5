public import WireProtobuf

/// The response of a successful unary call.
public struct CallResponse<Response: Message>: Sendable {
  /// The decoded message.
  public var message: Response
  /// The headers; empty if the server sent only trailers.
  public var headers: Metadata
  /// The trailers without `grpc-status` and `grpc-message`.
  public var trailers: Metadata
  /// The number of unknown fields in the message, at any depth. They are kept.
  public var unknownFieldCount: Int
  /// The number of times the call was sent; 1 unless it was retried.
  public var attempts: Int

  /// Creates a response, for example for a test.
  public init(
    message: Response, headers: Metadata = Metadata(), trailers: Metadata = Metadata(),
    unknownFieldCount: Int = 0, attempts: Int = 1
  ) {
    self.message = message
    self.headers = headers
    self.trailers = trailers
    self.unknownFieldCount = unknownFieldCount
    self.attempts = attempts
  }
}

extension CallResponse {
  /// - Throws: INTERNAL if the message does not decode.
  package init(
    _ bytes: [UInt8], headers: Metadata, trailers: Metadata, attempts: Int
  ) throws(CallError) {
    var unknownFieldCount = 0
    do throws(DecodingError) {
      message = try Response(serializedBytes: bytes, unknownFieldCount: &unknownFieldCount)
    } catch {
      throw CallError(decoding: error)
    }
    self.headers = headers
    self.trailers = trailers
    self.unknownFieldCount = unknownFieldCount
    self.attempts = attempts
  }
}
