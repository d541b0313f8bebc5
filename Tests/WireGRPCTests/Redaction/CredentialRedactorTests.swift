import Testing

@testable import WireGRPC

@Suite struct CredentialRedactorTests {
  private static let token = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl"

  /// Returns the masked text after calls with this metadata.
  private static func redacted(_ text: String, _ metadata: Metadata...) -> String {
    let redactor = CredentialRedactor(memory: 0)
    for metadata in metadata { redactor.note(metadata) }
    return redactor.credentials.redacted(text)
  }

  @Test(
    arguments: [
      ("authorization", "Bearer hushhush", "hushhush"),
      ("authorization", "hushhush", "hushhush"),
      ("authorization", "Basic YW5uYTpodXNoaHVzaA==", "hushhush"),
      ("authorization", "Basic YW5uYTpodXNoaHVzaA==", "YW5uYTpodXNoaHVzaA=="),
      // The password alone is too short.
      ("authorization", "Basic YW5uYTpodXNo", "anna:hush"),
      ("cookie", "lang=en; id=hushhush", "hushhush"), ("cookie", "a=b; hushhush", "hushhush"),
      ("x-goog-api-key", "hushhush", "hushhush"), ("x-session", "hushhush", "hushhush"),
      ("x-plain", .text(token), token), ("x-json", .text("{\"token\":\"\(token)\"}"), token),
      ("x-url", .text("https://h/?t=\(token)&a=b"), token),
      ("x-ext-bin", .binary([10, 51] + Array(token.utf8) + [0]), token),
      ("x-token-bin", .binary(Array("hushhush".utf8)), "hushhush"),
    ] as [(String, Metadata.Value, String)])
  func credentialsAreMasked(name: String, value: Metadata.Value, secret: String) {
    var metadata: Metadata = ["x-user": "anna", "x-route": "providers/p"]
    metadata.append(unchecked: name, value)
    let stars = String(repeating: "*", count: secret.utf8.count)
    #expect(
      Self.redacted("anna of providers/p has \(secret).", metadata)
        == "anna of providers/p has \(stars).")
  }

  @Test(
    arguments: [
      ("x-user", "hushhush"), ("x-eyJ", "eyJhbGciOiJSUzI1NiJ9.no-token-hushhush"),
      ("authorization", "Bearer hush"), ("cookie", "hushhush=1; b=2"),
      ("authorization", "Basic aHVzaGh1c2g6b3BlbnNlc2FtZQ"),
    ] as [(String, Metadata.Value)])
  func otherValuesAreNotMasked(name: String, value: Metadata.Value) {
    #expect(Self.redacted("it says hushhush", [name: value]) == "it says hushhush")
  }

  @Test func credentialsOfTheLastCallsAreMasked() {
    let secrets = "abcdefghijklmnopqrstuvwxyz".map { String(repeating: $0, count: 8) }
    let redactor = CredentialRedactor(memory: 3)
    for (number, secret) in secrets.enumerated() {
      for _ in 0..<2 { redactor.note(["authorization": .text("Bearer " + secret)]) }
      let hidden = secrets.indices.filter {
        redactor.credentials.redacted(secrets[$0]) == "********"
      }
      #expect(hidden == Array(max(0, number - 3)...number))
    }
    redactor.note(["x-user": "anna"])
    #expect(redactor.credentials.count == 3)
  }

  /// Each credential is searched for separately, so their number must be limited.
  @Test func numberOfCredentialsIsLimited() {
    let redactor = CredentialRedactor(memory: 3)
    for call in 0..<20 {
      let cookies = (0..<1_000).map { "a=\(call)-\(10_000_000 + $0)" }
      redactor.note(["cookie": .text(cookies.joined(separator: "; "))])
    }
    #expect(redactor.credentials.count == 4)
    #expect(redactor.credentials.redacted("19-1000012319-10000124") == "**********************")
    var many = Metadata()
    for number in 0..<200 { many.append(unchecked: "x-token", .text("hushhush-\(number)")) }
    redactor.note(many)
    #expect(redactor.credentials.count == 67)
  }

  @Test func allCredentialsOfACallAreMasked() {
    let metadata: Metadata = [
      "authorization": "Bearer hushhush", "x-session": "whispers",
      "cookie": "a=mumbling; b=sotto-voce",
    ]
    let echo = "hushhush whispers mumbling sotto-voce"
    #expect(Self.redacted(echo, metadata) == "******** ******** ******** **********")
    #expect(Self.redacted(echo, metadata, metadata) == "******** ******** ******** **********")
    #expect(Self.redacted(echo, metadata, ["authorization": "Bearer another1"]) == echo)
  }
}
