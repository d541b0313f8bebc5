public import WireProtobuf

/// What a successful unary call returned.
public struct CallResponse<Response: Message>: Sendable {
  public var message: Response
  /// Sent before the message. Empty when the peer sent headers and trailers in one.
  public var headers: Metadata
  /// Sent after the message, without `grpc-status` and `grpc-message`.
  public var trailers: Metadata
  /// How many fields of the message, at any depth, this build does not know; they are kept.
  public var unknownFieldCount: Int
  /// How many times the call was sent. 1 unless it was retried.
  public var attempts: Int

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
  /// - Throws: INTERNAL when the message does not decode.
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
