import Testing

@testable import WireGRPC
@testable import WireHTTP2

@Suite struct MetadataTests {
  @Test func namesAreCaseInsensitive() throws {
    var metadata = Metadata()
    try metadata.append("X-User", "anna")
    try metadata.append("x-user", "bert")
    try metadata.append("X-Data-Bin", [1, 2])
    #expect(metadata["X-USER"] == "anna")
    #expect(metadata[all: "x-user"] == ["anna", "bert"])
    #expect(metadata[binary: "x-data-bin"] == [1, 2])
    #expect(metadata["x-data-bin"] == nil)
    #expect(metadata.map(\.name) == ["x-user", "x-user", "x-data-bin"])
    metadata.removeAll(named: "X-User")
    #expect(metadata.count == 1)
  }

  @Test func dictionaryLiteralsBecomeEntries() {
    let metadata: Metadata = ["A": "1", "b-bin": .binary([7]), "a": "\(2)"]
    #expect(metadata[all: "a"] == ["1", "2"])
    #expect(metadata[binary: "b-bin"] == [7])
  }

  @Test(
    arguments: [
      ("", "x", "the name is empty"),
      ("x user", "x", "the character U+0020 at offset 1 of the name"),
      ("é", "x", "the character U+00E9 at offset 0"),
      ("x:y", "x", "\":\" at offset 1"),
      (":path", "/", "\":\" at offset 0"),
      ("grpc-status", "0", "reserved for gRPC"),
      ("TE", "x", "reserved for the transport"),
      ("Content-Type", "x", "reserved for the transport"),
      ("user-agent", "x", "reserved for the transport"),
      ("connection", "close", "reserved for the transport"),
      ("x", "a\nb", "the character U+000A at offset 1 of the value"),
      ("x", "grüße", "the character U+00FC at offset 2 of the value"),
      ("x-bin", "text", "requires a binary value, not text"),
    ])
  func refusesInvalidEntries(_ name: String, _ value: String, _ reason: String) {
    var metadata = Metadata()
    let error = #expect(throws: MetadataError.self) { try metadata.append(name, value) }
    #expect(error?.description.contains(reason) == true, "\(error?.description ?? "no error")")
    #expect(error?.description.contains("\"\(name.lowercased())\"") == true)
    #expect(metadata.isEmpty)
  }

  @Test func checksAnEntryWhenItIsAppended() throws {
    var entry = Metadata.Entry(name: "X-User", value: "anna")
    #expect(entry.name == "x-user" && !entry.isSensitive)
    #expect(Metadata.Entry(name: "Authorization", value: "x").isSensitive)
    #expect(
      "\(Metadata.Entry(name: "x-pin", value: "1", isSensitive: true))" == "x-pin: <redacted>")
    var metadata = Metadata()
    try metadata.append(entry)
    entry.name = "X-Other"
    try metadata.append(entry)
    #expect(metadata.map(\.name) == ["x-user", "x-other"])
    entry.name = "te"
    #expect(throws: MetadataError.self) { try metadata.append(entry) }
    #expect(metadata.count == 2)
  }

  @Test func bytesRequireTheSuffix() {
    var metadata = Metadata()
    #expect(throws: MetadataError.self) { try metadata.append("x", [1]) }
  }

  @Test func acceptsValidEntries() throws {
    var metadata = Metadata()
    try metadata.append("a-z_0.9", " !~")
    try metadata.append("grpc-trace-bin", [0])
    #expect(metadata.count == 2)
  }

  // MARK: Received

  @Test func omitsReceivedTransportFields() {
    let metadata = Metadata(received: [
      HeaderField(":status", "200"), HeaderField("content-type", "application/grpc"),
      HeaderField("grpc-status", "0"), HeaderField("grpc-message", "x"),
      HeaderField("grpc-encoding", "gzip"), HeaderField("x-a", "1"), HeaderField("x-a", "2"),
      HeaderField("grpc-status-details-bin", "AA"), HeaderField("server", "envoy"),
    ])
    #expect(metadata.map(\.name) == ["x-a", "x-a", "grpc-status-details-bin", "server"])
    #expect(metadata[binary: "grpc-status-details-bin"] == [0])
  }

  @Test(
    "padded, unpadded, joined by commas, and invalid",
    arguments: [
      ("q6ur", [Metadata.Value.binary([0xAB, 0xAB, 0xAB])]),
      ("qw==", [.binary([0xAB])]), ("qw", [.binary([0xAB])]), ("", [.binary([])]),
      ("qw==,AQ, Ag", [.binary([0xAB]), .binary([1]), .binary([2])]),
      ("!!!", [.text("!!!")]), ("qw,?", [.binary([0xAB]), .text("?")]),
      ("qw, \u{301}", [.binary([0xAB]), .text("\u{301}")]),
      ("qw,\u{301}", [.binary([0xAB]), .text("\u{301}")]), ("\u{600} ", [.text("\u{600}")]),
    ])
  func decodesReceivedBytes(_ value: String, _ expected: [Metadata.Value]) {
    let metadata = Metadata(received: [HeaderField("x-bin", value)])
    #expect(metadata[all: "x-bin"] == expected)
  }

  @Test func keepsReceivedText() {
    let metadata = Metadata(received: [HeaderField("x", "a, b\u{FFFD}")])
    #expect(metadata["x"] == "a, b\u{FFFD}")
  }

  // MARK: Descriptions

  @Test func descriptionsRedactCredentials() throws {
    var metadata: Metadata = [
      "authorization": "Bearer hidden", "x-api-key": "hidden", "x-shown": "shown",
      "x-shown-bin": .binary([0xAB]), "x-token-bin": .binary(Array("hidden".utf8)),
    ]
    try metadata.append("x-pin", "hidden", isSensitive: true)
    let received = Metadata(received: [HeaderField("set-cookie", "hidden")])
    var error = CallError(code: .unknown, message: "", origin: .server)
    error.headers = received
    error.trailers = received
    let bytes = "\(Array("hidden".utf8))"
    for value in [
      metadata, received, metadata[0], error, Array(metadata), CallOptions(metadata: metadata),
      CallResponse(message: RPCStatus(), headers: metadata, trailers: received),
      CallEvent.start(metadata: metadata, timeout: nil), CallEvent.end(.success(received)),
      Result<Metadata, CallError>.failure(error), metadata.groupedByName,
      metadata.groupedByName[0],
    ] as [any Sendable] {
      var dumped = ""
      dump(value, to: &dumped)
      let debugged = String(reflecting: value)
      for text in [
        "\(value)", debugged, dumped, "\(Mirror(reflecting: value).children.map(\.value))",
      ] {
        #expect(!text.contains("hidden") && !text.contains(bytes), "\(text)")
        #expect(!text.contains("104"), "\(text)")
      }
    }
    #expect(
      "\(metadata)" == "[authorization: <redacted>, x-api-key: <redacted>, x-shown: shown, "
        + "x-shown-bin: qw, x-token-bin: <redacted>, x-pin: <redacted>]")
    #expect("\(metadata[2])" == "x-shown: shown")
    let forwarded: Metadata = [
      "x-forwarded": "Bearer hidden", "x-bearer": "bear", "x-json": "{\"t\":\"eyJ.hid.den\"}",
    ]
    #expect("\(forwarded)" == "[x-forwarded: <redacted>, x-bearer: bear, x-json: <redacted>]")
  }

  // MARK: Sending

  @Test(arguments: [
    "authorization", "X-Auth-Token", "x-jwt", "x-goog-iap-jwt-assertion", "x-passwd", "x-pwd",
    "x-auth",
    "x-forwarded-authz", "x-csrf", "x_csrf_value", "x-session", "sessionid", "private-key", "x-sid",
    "x-amz-signature", "x-oauth.bearer", "x-passphrase",
  ])
  func recognizesNamesOfCredentials(name: String) {
    #expect(MetadataRules.mayBeSecret(name))
  }

  @Test(arguments: [
    "x-goog-request-params", "x-authority", "x-author", "x-user", "x-goog-api-client", "x-pwdless",
    "google-cloud-resource-prefix", "x-goog-user-project", "x-sidecar", "x-keyboard", "x-passage",
    "x-possession", "traceparent", "x-request-id", "x-signatures-of", "grpc-trace-bin",
  ])
  func recognizesOtherNames(name: String) {
    #expect(!MetadataRules.mayBeSecret(name))
  }

  @Test(arguments: [
    ("ya29.a", true), ("eyJh.eyJz.c2ln", true), ("eyJh.eyJz", false), ("Bearer a", true),
    ("BASIC YTpi", true), ("DPoP eyJh.eyJz.c2ln", true), ("jwt  ya29.a", true),
    ("Token ya29.a", true),
    ("Token expired", false), ("JWT", false), ("basically", false), ("yes", false), ("", false),
  ])
  func recognizesCredentialsByValue(text: String, isCredential: Bool) {
    #expect(MetadataRules.isCredential(text) == isCredential)
  }

  @Test(arguments: [
    ("https://h:1/a/b", "https://h:1/a/b"), ("/login", "/login"), ("", ""),
    ("https://anna:hush@h/x?token=hush#hush", "https://…@h/x?…"), ("//hush@h", "//…@h"),
    ("https://anna@b:hush@h/#hush", "https://…@h/#…"), ("https:///anna:hush@h", "https:///…@h"),
    ("https:\\\\anna:hush@h", "https:\\\\…@h"), ("https:anna:hush@h", "…@h"), ("/?", "/?…"),
    ("https://h/@me", "https://h/…@me"), ("ya29.hush", "<redacted>"),
  ])
  func locationsAreShownWithoutCredentials(location: String, shown: String) {
    #expect(MetadataRules.shown(location, of: "location") == shown)
    #expect(MetadataRules.shown("h/?a@b", of: "x-url") == "h/?a@b")
    var kinds = MetadataKinds()
    let metadata: Metadata = ["location": .text(location)]
    #expect((kinds.kind(of: metadata.entries[0]) == .credential) == (location != shown))
  }

  @Test func sendsUnpaddedBytesAndMarksCredentials() throws {
    var metadata: Metadata = ["x-bin": .binary([0xAB]), "authorization": "Bearer t"]
    try metadata.append("x-pin", "1234", isSensitive: true)
    try metadata.append("x-space", "  a b ")
    #expect(
      metadata.headerFields() == [
        HeaderField("x-bin", "qw"), HeaderField("authorization", "Bearer t", isSensitive: true),
        HeaderField("x-pin", "1234", isSensitive: true), HeaderField("x-space", "a b"),
      ])
  }
}
