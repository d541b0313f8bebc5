import Tripwire
import WireProtobuf
import WireSystem

/// Where the token of another identity provider comes from: `credential_source` of an external account.
struct SubjectTokenSource: Sendable {
  private enum Place: Sendable {
    case file(String)
    case url(HTTPRequest)
    case program(SubjectTokenProgram)
  }

  private let fields: CredentialsFields
  private let place: Place
  /// The member of a JSON object that is the token; nil if the text is the token.
  private let member: String?

  init(
    _ fields: CredentialsFields, audience: String, tokenType: String, impersonationURL: String?
  ) throws(TokenError) {
    self.fields = fields
    member = try Self.member(fields)
    guard ["file", "url", "executable"].filter(fields.object.has).count < 2 else {
      throw fields.bad("credential_source has more than one of file, url and executable")
    }
    for (member, source) in [("environment_id", "AWS"), ("certificate", "X.509 certificates")]
    where fields.object.has(member) {
      throw fields.bad(
        "credential_source is of \(source) (\(member)), which is not supported",
        action:
          "log in to gcloud with this file, and use its account: --access-token gcloud, or AccessTokens.gcloud()"
      )
    }
    if let path = fields.optional("file") {
      place = .file(path)
    } else if let url = fields.optional("url") {
      var request = HTTPRequest(url)
      for (name, value) in fields.object.object("headers")?.members ?? [] {
        guard let value = value.text, Self.isValid(name, value) else {
          throw fields.bad("credential_source.headers has an invalid header")
        }
        request.headers.append((name, value))
      }
      // Other clouds have it at an address of the machine itself.
      request.isDirect = request.isURL("http://")
      place = .url(request)
    } else if fields.object.object("executable") != nil {
      place = .program(
        try SubjectTokenProgram(
          fields.object("executable"), audience: audience, tokenType: tokenType,
          impersonationURL: impersonationURL))
    } else {
      throw fields.bad("credential_source has none of file, url and executable")
    }
  }

  /// Whether a header may be sent: of visible ASCII, and none that frames the request.
  private static func isValid(_ name: String, _ value: String) -> Bool {
    !["host", "content-length", "transfer-encoding", "connection"].contains(name.lowercased())
      && !name.isEmpty && name.utf8.allSatisfy { $0.isUnreserved }
      && value.utf8.allSatisfy { (0x20...0x7e).contains($0) }
  }

  private static func member(_ fields: CredentialsFields) throws(TokenError) -> String? {
    let format = fields.object.object("format")
    switch format?.text("type") ?? "text" {
    case "text": return nil
    case "json":
      guard let name = format?.text("subject_token_field_name") else {
        throw fields.bad("credential_source.format has no subject_token_field_name")
      }
      return name
    default: throw fields.bad("credential_source.format.type is neither text nor json")
    }
  }

  func token(_ endpoint: TokenEndpoint) async throws -> String {
    switch place {
    case .file(let path):
      let bytes = try mapError(LocalFile.contents(of: path, limit: HTTPClient.longest)) {
        (error: FileReadError) in
        fields.bad("\(path): \(error)", action: "check credential_source.file")
      }
      return try mapError(token(in: bytes)) { (fault: ContentFault) in
        fields.bad("\(path) \(fault.problem)", action: fault.action)
      }
    case .url(let request):
      let response = try await endpoint.response(to: request)
      if TokenEndpoint.isTemporary(response) {
        throw endpoint.unavailable(
          "\(request.shownURL) answered with status \(response.status)")
      }
      guard response.status == 200 else {
        throw TokenError.endpointFailed(
          place: request.shownURL,
          reason: TokenError.Reason(
            "answered with status \(response.status), and no token",
            action: "check the url and the headers of credential_source in \(fields.name)"))
      }
      return try mapError(token(in: response.body)) { (fault: ContentFault) in
        TokenError.endpointFailed(
          place: request.shownURL, reason: TokenError.Reason(fault.problem, action: fault.action))
      }
    case .program(let program): return try await program.token()
    }
  }

  private struct ContentFault: Error {
    let problem: String
    let action: String
  }

  private func token(in bytes: [UInt8]) throws(ContentFault) -> String {
    guard let member else {
      guard let text = String(validating: bytes, as: UTF8.self), !text.isEmpty else {
        throw ContentFault(
          problem: "is \(bytes.isEmpty ? "empty" : "not UTF-8")", action: "check credential_source")
      }
      return text
    }
    guard let text = (try? Struct(jsonUTF8Bytes: bytes))?.text(member), !text.isEmpty else {
      throw ContentFault(
        problem: "is not a JSON object with the string \(member)",
        action: "check credential_source.format")
    }
    return text
  }
}
