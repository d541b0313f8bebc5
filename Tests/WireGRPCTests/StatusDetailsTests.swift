import Testing
import WireGRPC

@Suite struct StatusDetailsTests {
  @Test func detailsComeFromTheTrailersAndTheTrailersWin() throws {
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
    #expect(agreeing.metadata[binary: "grpc-status-details-bin"] == status)

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
}
