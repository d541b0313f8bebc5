import Testing

@testable import CommandShell
@testable import WireGRPC

/// Hints about failed connections.
@Suite struct ConnectionHintTests {
  private func hint(
    _ reason: ConnectionFailure.Reason, source: EndpointSource = .option
  ) -> String? {
    Hint.testText(for: Self.error(reason), source: source)
  }

  private static func error(_ reason: ConnectionFailure.Reason) -> CallError {
    CallError(ConnectionFailure(reason: reason, peer: "h:1", detail: ""))
  }

  @Test(
    arguments: [
      (.nameNotResolved, "--endpoint"), (.refused, "--endpoint"), (.unreachable, "--endpoint"),
      (.timedOut, "--timeout"), (.tlsPeer, "remove --plaintext"),
      (.noALPN, "proxy"), (.noCommonTLS, "TLS 1.3"), (.http1Peer, "check the port in --endpoint"),
      (.closedUnanswered, "remove --plaintext"), (.plaintextPeer, "add --plaintext"),
      (.http1Peer, "--endpoint"), (.notHTTP2, "--endpoint"), (.noALPN, "--endpoint"),
      (.untrustedCertificate("self-signed"), "--cacert FILE"),
      (.expiredCertificate, "renew the certificate of the server, or correct the clock of"),
      (.notYetValidCertificate, "correct the clock of this machine, or replace the certificate"),
      (
        .hostnameMismatch(expected: "h", names: ["*.example.com", "fleet.example.com"]),
        "check the host in --endpoint (h:1): this server may be another one (for tests only,"
          + " accept it: --authority fleet.example.com)"
      ),
      (.hostnameMismatch(expected: "h", names: []), "with a subjectAltName for h (for tests only"),
      (.hostnameMismatch(expected: "h", names: ["h", "f*.example"]), "--authority NAME)"),
      (.tlsAlert("handshake_failure"), "-v"), (.closed, "listens at h:1"),
      (.configuration, "--authority"), (.proxyTimedOut, "check that the proxy works"),
      (.protocolViolation, "contact its operator"), (.plaintextProxy, "use http://"),
      (.untrustedProxyCertificate, "--cacert FILE"),
    ] as [(ConnectionFailure.Reason, String)])
  func namesTheOptionToChange(reason: ConnectionFailure.Reason, option: String) {
    #expect(hint(reason)?.contains(option) == true, "\(hint(reason) ?? "")")
  }

  @Test(
    arguments: [
      (.option, "check that the server is running, and check the port in --endpoint (h:1)"),
      (
        .variable, "check that the server is running, and check the port in TRIPWIRE_ENDPOINT (h:1)"
      ),
      (.standard, "check that this machine can reach h:1"),
    ] as [(EndpointSource, String)])
  func namesTheSourceOfTheEndpoint(source: EndpointSource, text: String) {
    #expect(hint(.refused, source: source) == text)
  }

  @Test(
    arguments: [
      (400, "ask the operator of the proxy to allow h:1"), (500, "ask the operator"),
      (501, "use a proxy that supports CONNECT"), (502, "the proxy cannot reach it"),
      (504, "the proxy cannot reach it"), (505, "ask the operator"),
    ])
  func statusOfTheProxySelectsTheHint(status: Int, part: String) {
    let text = hint(.proxyRefused(status: status))
    #expect(text?.contains(part) == true, "\(text ?? "")")
  }

  @Test(arguments: [ConnectionFailure.Reason.refused, .unreachable])
  func namesTheUnixSocket(reason: ConnectionFailure.Reason) {
    let hint = Hint(endpoint: "unix:///tmp/x", subject: .resource("n"), hasToken: true)
      .text(for: Self.error(reason))
    #expect(hint?.contains("(unix:///tmp/x)") == true)
    for word in ["port", "network"] { #expect(hint?.contains(word) == false, "\(hint ?? "")") }
  }

  @Test(arguments: [
    (false, "check grpc_proxy, https_proxy and http_proxy, "), (true, "check --proxy, "),
  ])
  func namesTheSourceOfTheProxy(isOption: Bool, start: String) {
    let hint = Hint(
      endpoint: "h:1", subject: .resource("n"), hasToken: true, hasProxyOption: isOption
    ).text(for: Self.error(.proxyUnreachable))
    #expect(hint == start + "or use no proxy: --proxy none")
  }

  @Test func namesTheVariablesOfAProxyThatCannotBeUsed() {
    #expect(
      hint(.proxyConfiguration)
        == "check grpc_proxy, https_proxy and http_proxy, or use no proxy: --proxy none")
  }
}
