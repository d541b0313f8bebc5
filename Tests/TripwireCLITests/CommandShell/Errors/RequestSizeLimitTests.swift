import Testing

@testable import CommandShell

@Suite struct RequestSizeLimitTests {
  @Test(arguments: [
    ("Received message larger than max (5243495 vs. 4194304)", 4_194_304, 5_243_495),
    ("SERVER: Received message larger than max (5243495 vs. 4194304)", 4_194_304, 5_243_495),
    ("Received message larger than max (5243495 vs 4194304)", 4_194_304, 5_243_495),
    ("grpc: received message larger than max (5243495 vs. 4194304)", 4_194_304, 5_243_495),
    ("grpc: received message after decompression larger than max 4194304", 4_194_304, nil),
    ("gRPC message exceeds maximum size 4194304: 5243495", 4_194_304, 5_243_495),
    (
      "Error, decoded message length too large: found 5243495 bytes, the limit is: 4194304 bytes",
      4_194_304, 5_243_495
    ),
    ("the request message has 5243495 bytes; this server takes 4194304", 4_194_304, 5_243_495),
    ("the request message has more than 4194304 bytes decompressed", 4_194_304, nil),
    (
      "the request is 5243495 bytes; the limit is 4194304 bytes", 4_194_304,
      5_243_495
    ),
  ])
  func limitIsParsedFromTheMessage(message: String, limit: Int, size: Int?) {
    let found = RequestSizeLimit(message)
    #expect(found?.limit == limit)
    #expect(found?.size == size)
  }

  @Test(arguments: [
    "Quota exceeded for quota metric 'GetTrip requests' of 100 per minute", "",
    "larger than max", "Received message larger than max (99999999999999999999)",
    "the response is 5 bytes; the limit is 4 bytes",
  ])
  func otherMessagesHaveNoLimit(message: String) {
    #expect(RequestSizeLimit(message) == nil)
  }
}
