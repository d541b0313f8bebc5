import WireGRPC
import WireHTTP2
import WireTLS

/// Passes events to the trace hook.
final class Tracer: Sendable {
  private let body: @Sendable (TraceEvent) -> Void
  private let redactor: CredentialRedactor?

  init(_ body: @escaping @Sendable (TraceEvent) -> Void, _ redactor: CredentialRedactor?) {
    self.body = body
    self.redactor = redactor
  }

  /// Not inlined, so that callers without a hook set nothing up.
  @inline(never)
  func report(_ step: TraceEvent.Step, of call: CallRequest? = nil) {
    let shown = step.redacted(redactor?.credentials ?? [])
    body(TraceEvent(time: .now, call: call?.id, path: call?.path, step: shown))
  }

  static func headers(_ fields: [HeaderField]) -> [TraceEvent.Header] {
    fields.map { field in
      TraceEvent.Header(
        name: field.name,
        value: MetadataRules.shown(
          field.value, of: field.name, isSensitive: field.isSensitive))
    }
  }
}

extension TraceEvent.Step {
  fileprivate func redacted(_ credentials: [Credential]) -> TraceEvent.Step {
    guard !credentials.isEmpty else { return self }
    switch self {
    case .connectFailed(let address, let reason):
      return .connectFailed(address: address, reason: credentials.redacted(reason))
    case .tls(let version, let cipher, let alpn, let peer, let isResumed):
      return .tls(
        version: version, cipher: cipher, alpn: alpn, peer: credentials.redacted(peer),
        isResumed: isResumed)
    case .requestHeaders(let headers):
      return .requestHeaders(headers.map { $0.redacted(credentials) })
    case .informational(let headers):
      return .informational(headers.map { $0.redacted(credentials) })
    case .responseHeaders(let headers):
      return .responseHeaders(headers.map { $0.redacted(credentials) })
    case .trailers(let headers): return .trailers(headers.map { $0.redacted(credentials) })
    case .goAway(let stream, let code, let data):
      return .goAway(lastStreamID: stream, errorCode: code, debugData: credentials.redacted(data))
    case .transparentRetry(let reason):
      return .transparentRetry(reason: credentials.redacted(reason))
    case .retry(let attempt, var failure):
      failure.message = credentials.redacted(failure.message)
      return .retry(attempt: attempt, failure: failure)
    case .closed(let reason): return .closed(reason: credentials.redacted(reason))
    default: return self
    }
  }
}

extension TraceEvent.Header {
  fileprivate func redacted(_ credentials: [Credential]) -> TraceEvent.Header {
    var header = TraceEvent.Header(
      name: credentials.redacted(name), value: credentials.redacted(value))
    if name == "grpc-message" {
      // The peer may have percent-encoded any part of it.
      let message = StatusMessage.decode(value)
      let shown = credentials.redacted(message)
      if shown != message { header.value = shown }
    } else if name.hasSuffix("-bin"), let bytes = Base64.decode(value) {
      var redacted = bytes
      credentials.redact(&redacted)
      if redacted != bytes { header.value = Base64.encode(redacted) }
    }
    return header
  }
}

extension TraceEvent.Step {
  static func tls(_ session: TLSSession) -> TraceEvent.Step {
    .tls(
      version: session.version, cipher: session.cipher, alpn: session.applicationProtocol ?? "",
      peer: session.peerCertificate?.subject ?? "", isResumed: session.isResumed)
  }
}
