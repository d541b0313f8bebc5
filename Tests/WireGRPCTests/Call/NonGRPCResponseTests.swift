import TestSupport
import Testing

@testable import WireGRPC
@testable import WireHTTP2

/// The causes of responses that are not gRPC.
@Suite struct NonGRPCResponseTests {
  private static let page = CallInput.headers(
    fields([":status": "200", "content-type": "text/html; charset=utf-8"]))

  private func cause(_ inputs: [CallInput]) -> CallError.Cause? { run(inputs).error?.cause }

  private func title(_ page: String, chunk: Int = 1000) -> CallError.Cause? {
    let bytes = Array(page.utf8)
    let chunks = stride(from: 0, to: bytes.count, by: chunk).map {
      CallInput.data(Array(bytes[$0..<min($0 + chunk, bytes.count)]))
    }
    return cause([Self.page] + chunks + [.data([], endStream: true)])
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func redirectHasItsTarget(status: Int) {
    let head = CallInput.headers(
      fields([
        ":status": "\(status)", "location": "https://b.example/x", "content-type": "text/html",
      ]))
    #expect(
      cause([head, .data(Array("<title>Moved</title>".utf8), endStream: true)])
        == .redirect("https://b.example/x"))
  }

  @Test func locationOfAnotherStatusIsNoRedirect() {
    let head = CallInput.headers(
      fields([":status": "201", "location": "/x"]), endStream: true)
    #expect(cause([head]) == nil)
  }

  @Test(arguments: [
    "application/grpc-web", "application/grpc-web-text+proto", "Application/GRPC-Web",
  ])
  func namesGRPCWeb(type: String) {
    let head = CallInput.headers(
      fields([":status": "200", "content-type": type]), endStream: true)
    #expect(cause([head]) == .grpcWeb)
  }

  @Test(
    arguments: [
      ("<!doctype html><head><title>Sign in</title>", "Sign in"),
      ("<HTML><TITLE lang=en>\n  Sign\t in \n</TITLE>", "Sign in"),
      ("<script>if (a < b > c) {}</script><title>a < b</title>", "a < b"),
      ("<title>\u{1b}[31mred\u{7f}</title>", "[31mred"),
      (
        "<title>" + String(repeating: "a", count: 300) + "</title>",
        String(repeating: "a", count: 100) + "…"
      ),
      ("<title></title>", nil), ("<title>Sign in", nil), ("<body><title>a picture's</title>", nil),
      ("<head></head><title>late</title>", nil), ("Sign in", nil), ("", nil),
      ("<head>" + String(repeating: " ", count: 3000) + "<title>Sign in</title>", "Sign in"),
      ("<head>" + String(repeating: " ", count: 5000) + "<title>Sign in</title>", nil),
    ], [1, 7, 10_000])
  func titleOfAPageIsItsCause(_ page: (text: String, title: String?), chunk: Int) {
    #expect(title(page.text, chunk: chunk) == .webPage(title: page.title))
  }

  /// A page whose stream stays open ends the call as soon as its title is known.
  @Test func doesNotWaitForTheRestOfThePage() {
    let padding = String(repeating: "x", count: 300)
    let end = run([
      Self.page, .data(Array("<head><!-- \(padding) -->".utf8)),
      .data(Array("<title>Sign in</title>".utf8)),
    ])
    #expect(end.error?.cause == .webPage(title: "Sign in"))
    #expect(end.reset == .cancel)
    #expect(end.error?.message.hasSuffix("xxx\"") == true)
  }
}
