import Testing

@testable import WireGRPC

@Suite struct KnownSecretsTests {
  private static let token = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl"

  /// What is left of a text when calls have been sent with this.
  private static func struck(_ text: String, _ metadata: Metadata...) -> String {
    var known = KnownSecrets(memory: 0)
    for metadata in metadata { known.learn(metadata) }
    return known.recent.struck(text)
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
  func whatIsSecret(name: String, value: Metadata.Value, secret: String) {
    var metadata: Metadata = ["x-user": "anna", "x-route": "providers/p"]
    metadata.append(unchecked: name, value)
    let stars = String(repeating: "*", count: secret.utf8.count)
    #expect(
      Self.struck("anna of providers/p has \(secret).", metadata)
        == "anna of providers/p has \(stars).")
  }

  @Test(
    arguments: [
      ("x-user", "hushhush"), ("x-eyJ", "eyJhbGciOiJSUzI1NiJ9.no-token-hushhush"),
      ("authorization", "Bearer hush"), ("cookie", "hushhush=1; b=2"),
      ("authorization", "Basic aHVzaGh1c2g6b3BlbnNlc2FtZQ"),
    ] as [(String, Metadata.Value)])
  func whatIsNot(name: String, value: Metadata.Value) {
    #expect(Self.struck("it says hushhush", [name: value]) == "it says hushhush")
  }

  @Test func thoseOfTheLastCallsAreKnown() {
    let secrets = "abcdefghijklmnopqrstuvwxyz".map { String(repeating: $0, count: 8) }
    var known = KnownSecrets(memory: 3)
    for (number, secret) in secrets.enumerated() {
      for _ in 0..<2 { known.learn(["authorization": .text("Bearer " + secret)]) }
      let hidden = secrets.indices.filter { known.recent.struck(secrets[$0]) == "********" }
      #expect(hidden == Array(max(0, number - 3)...number))
    }
    known.learn(["x-user": "anna"])
    #expect(known.recent.count == 3)
  }

  /// As each is searched for by itself.
  @Test func thereAreNotCountlessOnes() {
    var known = KnownSecrets(memory: 3)
    for call in 0..<20 {
      let cookies = (0..<1_000).map { "a=\(call)-\(10_000_000 + $0)" }
      known.learn(["cookie": .text(cookies.joined(separator: "; "))])
    }
    #expect(known.recent.count == 4)
    #expect(known.recent.struck("19-1000012319-10000124") == "**********************")
    var many = Metadata()
    for number in 0..<200 { many.append(unchecked: "x-token", .text("hushhush-\(number)")) }
    known.learn(many)
    #expect(known.recent.count == 67)
  }

  @Test func allOfACallAreKnown() {
    let metadata: Metadata = [
      "authorization": "Bearer hushhush", "x-session": "whispers",
      "cookie": "a=mumbling; b=sotto-voce",
    ]
    let said = "hushhush whispers mumbling sotto-voce"
    #expect(Self.struck(said, metadata) == "******** ******** ******** **********")
    #expect(Self.struck(said, metadata, metadata) == "******** ******** ******** **********")
    #expect(Self.struck(said, metadata, ["authorization": "Bearer another1"]) == said)
  }
}
