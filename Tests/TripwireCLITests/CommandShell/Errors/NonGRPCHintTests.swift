import Testing

@testable import CommandShell
@testable import WireGRPC

/// Hints about responses of web servers, login pages and gRPC-Web.
@Suite struct NonGRPCHintTests {
  private func hint(
    _ cause: CallError.Cause, _ status: Int = 200, source: EndpointSource = .option
  ) -> String? {
    var error = CallError(httpStatus: status, trailers: [:])
    error.cause = cause
    return Hint.testText(for: error, source: source)
  }

  @Test(arguments: [301, 308])
  func redirectShowsItsTarget(status: Int) {
    #expect(
      hint(.redirect("https://b.example/\u{1b}x"), status)
        == #"check --endpoint (h:1): this server redirects to https://b.example/\u{1b}x"#)
  }

  @Test func redirectOfFleetEngineIsAProblemOfTheNetwork() {
    #expect(
      hint(.redirect("https://b.example/"), 302, source: .standard)
        == "check the network: the server that answered for h:1 redirects to https://b.example/")
  }

  @Test(arguments: [200, 403, 404, 405, 511])
  func pageShowsItsTitle(status: Int) {
    #expect(
      hint(.webPage(title: "Sign in"), status)
        == #"check --endpoint (h:1): this server sent a web page, as a login or a proxy does: "Sign in""#
    )
  }

  @Test func pageMayHaveNoTitle() {
    #expect(
      hint(.webPage(title: nil))
        == "check --endpoint (h:1): this server sent a web page, as a login or a proxy does")
  }

  /// Servers also send pages when they are overloaded, or refuse a token.
  @Test(arguments: [(401, "get a new token"), (429, "try again later"), (503, "try again later")])
  func pageDoesNotHideTheReason(status: Int, part: String) {
    let text = hint(.webPage(title: "Sorry"), status)
    #expect(text?.hasPrefix(part) == true, "\(text ?? "")")
  }

  @Test func namesGRPCWeb() {
    #expect(
      hint(.grpcWeb) == "check --endpoint (h:1): this server answers with gRPC-Web, not with gRPC")
  }
}
