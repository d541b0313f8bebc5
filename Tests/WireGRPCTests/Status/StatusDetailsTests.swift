import TestSupport
import Testing
import WireProtobuf

@testable import WireGRPC

@Suite struct StatusDetailsTests {
  @Test func detailsComeFromTheTrailersWhichTakePrecedence() throws {
    // google.rpc.Status{code: 7, message: "denied", details: [ErrorInfo{reason: "IAM"}]}
    let info: [UInt8] = [0x0A, 3] + Array("IAM".utf8)
    let url = Array("type.googleapis.com/google.rpc.ErrorInfo".utf8)
    let any: [UInt8] = [0x0A, UInt8(url.count)] + url + [0x12, UInt8(info.count)] + info
    let status: [UInt8] =
      [8, 7, 0x12, 6] + Array("denied".utf8) + [0x1A, UInt8(any.count)] + any
    let details = Base64.encode(status)

    let agreeing = try #require(
      run([good, .trailers(fields(["grpc-status": "7", "grpc-status-details-bin": details]))])
        .error)
    #expect(agreeing.code == .permissionDenied)
    #expect(agreeing.message == "denied")
    guard case .errorInfo(let decoded) = try #require(agreeing.details.first) else {
      Issue.record("not an ErrorInfo: \(agreeing.details)")
      return
    }
    #expect(decoded.reason == "IAM")
    #expect(agreeing.details.first?.any == AnyMessage(packing: ErrorInfo(reason: "IAM")))
    #expect(agreeing.trailers[binary: "grpc-status-details-bin"] == status)

    let differing = try #require(
      run([
        good,
        .trailers(
          fields([
            "grpc-status": "5", "grpc-message": "gone", "grpc-status-details-bin": details,
          ])),
      ]).error)
    #expect(differing.code == .notFound)
    #expect(differing.message == "gone")
    #expect(differing.details.count == 1)

    let broken = try #require(
      run([
        good,
        .trailers(
          fields([
            "grpc-status": "5", "grpc-message": "gone", "grpc-status-details-bin": "CP8",
          ])),
      ]).error)
    #expect(broken.message == "gone")
    #expect(broken.details.isEmpty)
  }

  @Test func packsEveryDetailAsAny() throws {
    let messages: [any Message] = [
      ErrorInfo(reason: "a"), RetryInfo(retryDelay: WireDuration(seconds: 1)),
      DebugInfo(detail: "b"), QuotaFailure(violations: [.init(subject: "c")]),
      PreconditionFailure(violations: [.init(type: "d")]),
      BadRequest(fieldViolations: [.init(field: "e")]), RequestInfo(requestId: "f"),
      ResourceInfo(resourceType: "g"), Help(links: [.init(url: "h")]),
      LocalizedMessage(locale: "i"), Timestamp(seconds: 1),
    ]
    for message in messages {
      // Includes a field that the type does not have.
      var any = AnyMessage(packing: message)
      any.value += [0xF8, 0x3F, 1]
      let detail = ErrorDetail(any)
      if case .other = detail { #expect(message is Timestamp) }
      #expect(detail.any == any)
    }
    let info = ErrorDetail.errorInfo(ErrorInfo(reason: "a")).any
    #expect(
      try info.jsonString(options: JSONEncodingOptions(types: .googleRpcErrorDetailsProto))
        == #"{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"a"}"#)
    let foreign = AnyMessage(typeUrl: "example.com/shop.Item", value: [0xFF])
    #expect(ErrorDetail(foreign).any == foreign)
  }
}
