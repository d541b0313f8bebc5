import CommandLine
import DynamicProtobuf
package import Tripwire

extension Hint {
  /// The hint for a connection that was not made, or was lost before it was ready.
  package func text(for failure: ConnectionFailure) -> String {
    let skip = "for tests only: --insecure-skip-verify"
    if !endpointSource.isChosen {
      switch failure.reason {
      case .nameNotResolved, .refused, .unreachable:
        return "check that this machine can reach \(endpoint)"
      case .timedOut:
        return "check that this machine can reach \(endpoint), or raise --timeout"
      default: break
      }
    }
    if case .hostnameMismatch(_, let names) = failure.reason, !names.isEmpty, let authorityOption {
      return "correct or remove \(authorityOption)"
    }
    switch failure.reason {
    case .nameNotResolved where endpointSource == .connectTo:
      return "check the host of \(endpoint) and that this machine is online"
    case .nameNotResolved:
      return "check the host in \(place) and that this machine is online"
    case .refused where isUnixSocket:
      let part = endpoint.hasPrefix("unix:") ? "path" : "name"
      return "check that the server is running, and check the \(part) in \(place)"
    case .refused:
      return "check that the server is running, and check the port in \(place)"
    case .unreachable where isUnixSocket:
      return "check the permissions of the socket in \(place)"
    case .unreachable:
      return "check the network and \(place)"
    case .timedOut:
      return "check \(place) and firewalls, or raise --timeout"
    case .proxyTimedOut:
      return "check that the proxy works and reaches \(endpoint), use no proxy (--proxy none), or"
        + " raise --timeout"
    case .tlsPeer:
      return "\(removePlaintext): the server uses TLS"
    case .closedUnanswered:
      return "\(removePlaintext): the server most likely uses TLS"
    case .plaintextPeer:
      return "add --plaintext: the server does not use TLS"
    case .protocolViolation:
      return checkServer
    case .http1Peer, .notHTTP2:
      return check("the port in \(place)", becauseServer: "is not a gRPC server")
    case .noALPN:
      return
        "check that \(place) is a gRPC server, or configure its proxy to offer HTTP/2 (ALPN h2)"
    case .noCommonTLS:
      return strongerTLS
    case .untrustedCertificate:
      return "trust the certificate's CA with --cacert FILE (\(skip))"
    case .expiredCertificate:
      return "renew the certificate of the server, or correct the clock of this machine (\(skip))"
    case .notYetValidCertificate:
      return "correct the clock of this machine, or replace the certificate of the server (\(skip))"
    case .revokedCertificate:
      return "replace the certificate of the server: its CA revoked it (\(skip))"
    case .clientCertificateRefused:
      return "pass a client certificate that the server accepts: --cert FILE --key FILE"
    case .hostnameMismatch(let expected, let names) where names.isEmpty:
      return "give the server a certificate with a subjectAltName for \(escaped(expected))"
        + " (\(skip))"
    case .hostnameMismatch(let expected, let names):
      let name = names.first { !$0.contains("*") && $0 != expected }.map(escaped) ?? "NAME"
      return check("the host in \(place)", becauseServer: "may be another one")
        + " (for tests only, accept it: --authority \(name))"
    case .tlsAlert, .tlsFailed:
      return "trace the handshake with -v, or check the log of the server"
    case .proxyUnreachable:
      return "check \(proxySource), or use no proxy: --proxy none"
    case .proxyRefused(501):
      return "use a proxy that supports CONNECT, or use no proxy: --proxy none"
    case .proxyRefused(502...504):
      return "check \(place): the proxy cannot reach it; or use no proxy: --proxy none"
    case .proxyRefused:
      return "ask the operator of the proxy to allow \(endpoint), or use no proxy: --proxy none"
    case .proxyAuthenticationRequired where hasProxyOption && isOnThisMachine:
      return "put the percent-encoded user name and password into the URL:"
        + " --proxy http://USER:PASSWORD@HOST:PORT"
    case .proxyAuthenticationRequired:
      return "put the percent-encoded user name and password into the URL of the proxy, for example"
        + " grpc_proxy=http://USER:PASSWORD@HOST:PORT"
        + (hasProxyOption ? ", and leave out --proxy" : "")
    case .plaintextProxy:
      return
        "use http:// in place of https:// in \(hasProxyOption ? "--proxy" : "the URL of the proxy")"
    case .untrustedProxyCertificate:
      return "trust the CA of the proxy with --cacert FILE (\(skip))"
    case .proxyFailed:
      return
        "check that \(hasProxyOption ? "--proxy" : "grpc_proxy, https_proxy or http_proxy") names"
        + " an HTTP proxy"
    case .closed:
      return "check that a gRPC server listens at \(endpoint), and read the log of the server"
    case .proxyConfiguration:
      return "check \(proxySource), or use no proxy: --proxy none"
    case .configuration:
      return "check \(endpointSource.option), --authority and --proxy"
    }
  }

  /// The hint for a response that is not gRPC; nil if its status is a better one.
  func text(forNonGRPC error: CallError) -> String? {
    switch error.cause {
    case .redirect(let location):
      return check(place, becauseServer: "redirects to \(escaped(location))")
    case .webPage(let title):
      // Servers also send a page when they are overloaded or refuse a token.
      guard ![.unavailable, .unauthenticated].contains(error.code) else { return nil }
      return check(
        place,
        becauseServer: "sent a web page, as a login or a proxy does"
          + (title.map { ": \"\(escaped($0))\"" } ?? ""))
    case .grpcWeb:
      return check(place, becauseServer: "answers with gRPC-Web, not with gRPC")
    default:
      return nil
    }
  }

  /// Returns the hint to check an option if it names the server, or the network otherwise.
  private func check(_ place: String, becauseServer fact: String) -> String {
    endpointSource.isChosen
      ? "check \(place): this server \(fact)"
      : "check the network: the server that answered for \(endpoint) \(fact)"
  }

  /// The versions and the cipher suites that the command offers.
  var strongerTLS: String {
    "enable TLS 1.3 on the server, or TLS 1.2 with ECDHE and AES-GCM or ChaCha20-Poly1305"
  }

  private var isUnixSocket: Bool {
    ["unix:", "unix-abstract:"].contains(where: endpoint.hasPrefix)
  }

  /// Whether the server is on this machine, for which no variable names a proxy.
  private var isOnThisMachine: Bool {
    ["localhost", "127.", "[::1]"].contains { endpoint.hasPrefix($0) }
  }

  /// The endpoint, and the option that it comes from: "--endpoint (127.0.0.1:50051)".
  private var place: String {
    endpointSource.isChosen ? "\(endpointSource.option) (\(endpoint))" : endpoint
  }

  /// The option or the profile that names the server in place of the endpoint; nil if none does.
  var authorityOption: String? {
    sources["authority"].map { _ in sources.name(of: "--authority") }
  }

  private var proxySource: String {
    hasProxyOption ? "--proxy" : "grpc_proxy, https_proxy and http_proxy"
  }

  var removePlaintext: String { sources.removal(of: "--plaintext") }
}

extension CallError {
  /// Whether the server's descriptors are the cause.
  var isAboutDescriptors: Bool {
    underlyingError is DecodingError || underlyingError is DescriptorError
  }
}
