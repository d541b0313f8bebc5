import Tripwire
import WireProtobuf
import WireSystem

/// A program that prints the token of another identity provider: `credential_source.executable`.
struct SubjectTokenProgram: Sendable {
  /// The variable without which no program runs, as in Google's clients.
  private static let allowance = "GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES"

  private let fields: CredentialsFields
  private let program: TokenProgram
  /// The file in which the program keeps its last response.
  private let outputFile: String?

  init(
    _ fields: CredentialsFields, audience: String, tokenType: String, impersonationURL: String?
  ) throws(TokenError) {
    self.fields = fields
    guard let words = ShellWords.split(try fields.text("command")), !words.isEmpty else {
      throw fields.bad("the field command is empty, or has a quote without an end")
    }
    outputFile = fields.optional("output_file")
    let email = impersonationURL?.split(separator: "/").last?.prefix { $0 != ":" }
    program = TokenProgram(
      name: words[0], arguments: words,
      variables: [
        "GOOGLE_EXTERNAL_ACCOUNT_AUDIENCE": audience,
        "GOOGLE_EXTERNAL_ACCOUNT_TOKEN_TYPE": tokenType,
        "GOOGLE_EXTERNAL_ACCOUNT_INTERACTIVE": "0", "GOOGLE_EXTERNAL_ACCOUNT_REVOKE": "0",
        "GOOGLE_EXTERNAL_ACCOUNT_IMPERSONATED_EMAIL": email.map(String.init),
        "GOOGLE_EXTERNAL_ACCOUNT_OUTPUT_FILE": outputFile,
      ],
      timeout: .milliseconds(Int64(clamping: fields.object.integer("timeout_millis") ?? 30_000)))
  }

  func token() async throws -> String {
    guard Environment.process[Self.allowance] == "1" else {
      throw fields.bad(
        "credential_source is a program, which is not run unless you allow it",
        action: "export \(Self.allowance)=1")
    }
    if let kept = try? token(in: savedResponse, mustExpire: true) { return kept }
    let output = try await program.output()
    return try token(in: output.isEmpty ? savedResponse : output, mustExpire: false)
  }

  private var savedResponse: [UInt8] {
    guard let outputFile else { return [] }
    return (try? LocalFile.contents(of: outputFile, limit: HTTPClient.longest)) ?? []
  }

  /// Reads a response: Google's executable-sourced credentials, version 1.
  func token(in response: [UInt8], mustExpire: Bool) throws(TokenError) -> String {
    guard let object = try? Struct(jsonUTF8Bytes: response) else {
      throw program.failed("did not write a JSON object to stdout")
    }
    guard object.integer("version") == 1 else {
      throw program.failed("wrote another version than 1")
    }
    guard object.bool("success") == true else {
      let parts = [object.text("code"), object.text("message")].compactMap(\.self)
      throw program.failed(
        "was not successful: " + OutputRedactor.masked(parts.joined(separator: ": ")))
    }
    guard object.number("expiration_time").map({ $0 > WallTime.now }) ?? !mustExpire else {
      throw program.failed("wrote a token that has expired")
    }
    let isSAML = object.text("token_type") == "urn:ietf:params:oauth:token-type:saml2"
    let member = isSAML ? "saml_response" : "id_token"
    guard let token = object.text(member), !token.isEmpty else {
      throw program.failed("wrote no \(member)")
    }
    return token
  }
}
