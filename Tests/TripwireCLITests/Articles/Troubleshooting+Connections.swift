import Tripwire

@testable import CommandShell

extension Troubleshooting {
  static var connections: [Row] {
    [
      row(
        .nameNotResolved, "the name … cannot be resolved: …",
        cause: "The host has no address, or no name server responded."),
      row(.refused, "connection refused", cause: "No program listens on the port."),
      row(
        .refused, "the unix socket does not exist", cause: "No program listens on the socket.",
        endpoint: "unix:PATH"),
      row(
        .unreachable, "cannot connect: …",
        cause: "No route leads to the host, or a firewall rejects the connection."),
      row(
        .unreachable, "cannot connect: …", cause: "The permissions of the socket forbid it.",
        endpoint: "unix:PATH"),
      row(
        .timedOut, "… did not respond …", "the server did not finish the TLS handshake …",
        "… but sent no HTTP/2 SETTINGS …",
        cause:
          "The host is down, a firewall drops the packets, or another kind of server listens there."
      ),
      row(
        .tlsPeer, "the server uses TLS, but this connection is plaintext",
        cause: "`--plaintext` was given for a server with TLS."),
      row(
        .closedUnanswered, "the server closed the connection without a response; …",
        cause: "Most likely `--plaintext` was given for a server with TLS."),
      row(
        .plaintextPeer, "the peer does not use TLS: its first bytes look like …",
        cause: "The server uses HTTP/2 without TLS."),
      row(
        .http1Peer, "the peer does not speak HTTP/2: …",
        cause: "A web server listens there, or an HTTP proxy."),
      row(
        .notHTTP2, "the peer does not speak HTTP/2: …",
        "HTTP/2 failed before the connection was ready: …",
        cause: "A server of another protocol listens there, such as SSH or a database."),
      row(
        .protocolViolation, "the server violated HTTP/2: …",
        cause: "The server sent invalid SETTINGS, or GOAWAY before SETTINGS."),
      row(
        .noALPN, "the peer did not agree to the protocol … in ALPN: …",
        cause: "The server or a proxy in front of it supports only HTTP/1."),
      row(
        .noCommonTLS, "the peer supports neither TLS 1.2 nor TLS 1.3",
        "… offers no acceptable cipher suite; …", cause: "The server's TLS is too old."),
      row(
        .untrustedCertificate(""), "the peer's certificate is not trusted: …",
        cause: "The certificate is self-signed, or its CA is not one of the system's."),
      row(
        .expiredCertificate, "the certificate of … expired at …",
        cause: "The certificate has expired, or the clock of this machine is ahead."),
      row(
        .notYetValidCertificate, "the certificate of … is not valid before …",
        cause: "The clock of this machine is behind, or the certificate begins later."),
      row(
        .revokedCertificate, "the certificate of … was revoked",
        cause: "The certificate is on a list of `--crlfile`."),
      row(
        .clientCertificateRefused, "the server requires a client certificate …",
        "the server rejected the client's certificate …",
        cause: "The server authenticates its clients by certificates (mutual TLS)."),
      row(
        .hostnameMismatch(expected: "HOST", names: ["NAME"]),
        "the peer's certificate is not for … but for …",
        cause:
          "The server's certificate does not contain the host name in `--endpoint`: it may be another server."
      ),
      row(
        .hostnameMismatch(expected: "HOST", names: []),
        "the peer's certificate is not for …: it names no host (the common name is ignored)",
        cause: "The server's certificate has no subjectAltName."),
      row(
        .tlsAlert(""), "the peer ended the connection with the TLS alert …",
        cause: "The server aborted the TLS handshake."),
      row(.tlsFailed, "TLS protocol error: …", cause: "The server sent invalid TLS."),
      row(
        .proxyUnreachable, "the proxy cannot be reached: …",
        "the proxy's name … cannot be resolved: …",
        cause: "The HTTP proxy of the environment is down, or its address is wrong."),
      row(
        .proxyUnreachable, "the proxy cannot be reached: …",
        "the proxy's name … cannot be resolved: …",
        cause: "The HTTP proxy of `--proxy` is down, or its address is wrong.",
        hasProxyOption: true),
      row(
        .proxyTimedOut, "the proxy … did not connect to the server …",
        cause: "The HTTP proxy does not respond, or waits for the server."),
      row(
        .proxyRefused(status: 403), "the proxy refused to connect to the server: HTTP status …",
        cause: "The HTTP proxy does not allow this server (status 403, for example)."),
      row(
        .proxyRefused(status: 501), "the proxy refused to connect to the server: HTTP status …",
        cause: "The proxy does not forward protocols other than HTTP/1 (status 501)."),
      row(
        .proxyRefused(status: 502),
        "the proxy refused to connect to the server: HTTP status …",
        cause: "The proxy cannot connect to the server (status 502, 503 or 504)."),
      row(
        .proxyAuthenticationRequired, "the proxy requires a user name and password …",
        "the proxy rejected the user name and password …",
        cause: "The HTTP proxy requires credentials."),
      row(
        .proxyFailed, "the proxy sent an invalid response to CONNECT: …",
        "the proxy closed the connection before it responded to CONNECT",
        "TLS with the proxy failed: …", cause: "The server there is not an HTTP proxy."),
      row(
        .plaintextProxy, "TLS with the proxy failed: … does not use TLS: …",
        cause: "The URL of the proxy begins with https://, and the proxy has no TLS."),
      row(
        .untrustedProxyCertificate, "TLS with the proxy failed: … certificate is not trusted: …",
        cause: "The certificate of the proxy comes from a private or unknown CA."),
      row(
        .closed, "the server closed the connection before it was ready: …",
        "the peer closed the connection during the TLS handshake",
        cause: "The server or a load balancer in front of it rejects connections."),
      row(
        .proxyConfiguration, "the proxy in … cannot be used: …",
        cause: "The URL of the HTTP proxy is invalid."),
      row(
        .configuration, "HTTP/2 cannot be set up: …",
        cause: "The address or an option of the connection is invalid."),
    ]
  }

  private static func row(
    _ reason: ConnectionFailure.Reason, _ messages: String..., cause: String,
    endpoint: String = endpoint, hasProxyOption: Bool = false
  ) -> Row {
    let failure = ConnectionFailure(reason: reason, peer: endpoint, detail: "")
    let hint = Hint(
      endpoint: endpoint, subject: .resource(resource), hasToken: true,
      hasProxyOption: hasProxyOption)
    return Row(messages: messages, cause: cause, hint: hint.text(for: CallError(failure)))
  }
}
