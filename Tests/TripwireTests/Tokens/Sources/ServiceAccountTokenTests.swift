import TestSupport
import Testing
import WireProtobuf
import WireSystem
import WireTLS

@testable import Tripwire

@Suite struct ServiceAccountTokenTests {
  private let key: ServiceAccountKey
  private let now = 1_795_253_400.7

  init() throws {
    key = try ServiceAccountKey(json: Array(RSATestKey.json().utf8))
  }

  @Test(arguments: [Named("PKCS #8", RSATestKey.pkcs8), Named("PKCS #1", RSATestKey.pkcs1)])
  func tokenHasTheClaimsOfFleetEngine(pem: Named<String>) throws {
    let key = try ServiceAccountKey(json: Array(RSATestKey.json(pem.value).utf8))
    let token = try key.token(.consumer(tripID: "t1"), at: now)
    #expect(token.expiration == 1_795_257_000)
    let parts = try JSONWebToken(token.value)
    #expect(try text(of: token, part: 0) == #"{"alg":"RS256","kid":"k1","typ":"JWT"}"#)
    #expect(
      try text(of: token, part: 1)
        == #"{"aud":"https://fleetengine.googleapis.com/","authorization":{"tripid":"t1"},"#
        + #""exp":1795257000,"iat":1795253400,"iss":"backend@p.iam.gserviceaccount.com","#
        + #""sub":"backend@p.iam.gserviceaccount.com"}"#)
    let verifier = try RSAPublicKey(pem: Array(RSATestKey.publicKey.utf8), "the key")
    #expect(verifier.verifies(parts.signature, of: Array(parts.signedText.utf8)))
  }

  /// The example of Tokens.md.
  @Test func tokenIsIssuedNow() throws {
    func riderToken(forTrip tripID: String, key: ServiceAccountKey) throws -> String {
      let token = try key.token(.consumer(tripID: tripID), lifetime: 900)
      return token.value  // the JWT; printing the token itself shows "<redacted>"
    }

    let before = WallTime.now
    let claims = try JSONWebToken(riderToken(forTrip: "t1", key: key)).claims
    let issued = try #require(claims.number("iat"))
    #expect((before.rounded(.down)...WallTime.now).contains(issued))
    #expect(claims.number("exp") == issued + 900)
  }

  private func text(of token: AuthToken, part: Int) throws -> String {
    let parts = token.value.split(separator: ".")
    return String(decoding: try #require(Base64URL.decode(parts[part])), as: UTF8.self)
  }

  @Test func eachRoleHasItsClaims() {
    let claims: [(AuthorizationClaims, [String: Value])] = [
      (.consumer(tripID: "t"), ["tripid": "t"]),
      (.driver(vehicleID: "v"), ["vehicleid": "v"]),
      (.server, ["tripid": "*", "vehicleid": "*"]),
      (
        .fleetReader,
        [
          "tripid": "*", "taskid": "*", "trackingid": "*", "vehicleid": "*",
          "deliveryvehicleid": "*",
        ]
      ),
      (.deliveryConsumer(taskID: "k"), ["taskid": "k"]),
      (.deliveryConsumer(trackingID: "r"), ["trackingid": "r"]),
      (.untrustedDeliveryDriver(deliveryVehicleID: "d"), ["deliveryvehicleid": "d"]),
      (
        .trustedDeliveryDriver(deliveryVehicleID: "d", taskID: "k"),
        ["deliveryvehicleid": "d", "taskid": "k"]
      ),
      (
        .deliveryServer,
        ["deliveryvehicleid": "*", "taskid": "*", "taskids": ["*"], "trackingid": "*"]
      ),
      (.custom(["own": ["x": 1]]), ["own": ["x": 1]]),
    ]
    for (claims, values) in claims { #expect(claims.values == values) }
  }

  @Test(
    arguments: [
      ("providers/p/trips/t1", ["tripid": "t1"]), ("providers/p/vehicles/v1", ["vehicleid": "v1"]),
      ("providers/p/tasks/t1", ["taskid": "t1"]),
      ("providers/p/deliveryVehicles/v1", ["deliveryvehicleid": "v1"]),
      ("providers/p/taskTrackingInfo/S-1", ["trackingid": "S-1"]),
      ("providers/p/billableTrips/b1", ["tripid": "*", "vehicleid": "*"]),
      ("providers/p", ["tripid": "*", "vehicleid": "*"]), ("", ["tripid": "*", "vehicleid": "*"]),
    ] as [(String, [String: Value])])
  func claimsMatchTheResourceOfTheCall(name: String, values: [String: Value]) throws {
    let provider = ServiceAccountToken(key: key)
    let context = AuthorizationContext(of: name)
    let token = try provider.token(for: context)
    let claims = try JSONWebToken(token.value).claims.object("authorization")
    #expect(claims?.fields == values)
    #expect(AuthorizationClaims(for: context).values == values)
  }

  /// Otherwise a wildcard token would be signed for each trip.
  @Test func wildcardTokensAreShared() throws {
    let own = ServiceAccountToken(key: key)
    let server = ServiceAccountToken(key: key, claims: .server)
    let other = AuthorizationContext(resourceName: "providers/p/trips/t2", tripID: "t2")
    #expect(own.sharedContext(for: aTrip()) != own.sharedContext(for: other))
    #expect(server.sharedContext(for: aTrip()) == server.sharedContext(for: other))
    let search = AuthorizationContext(resourceName: "providers/p")
    #expect(own.sharedContext(for: search) == .any)
    #expect(try server.token(for: aTrip()).expiration != nil)
  }

  @Test(
    arguments: [
      (["tripid": ""], "the claim tripid is empty: set it to an ID, or to * for all"),
      (
        ["tripid": "providers/p/trips/t1"],
        "the claim tripid is a resource name: use only the ID t1"
      ),
      (["tripid": 1], "the claim tripid is not a string: set it to an ID, or to * for all"),
      (
        ["taskids": "*"],
        "the claim taskids is not an array of strings: set it to an array of IDs, or to [\"*\"] for all"
      ),
      (["taskids": []], "the claim taskids is empty: set it to the IDs, or to * for all"),
      (["taskids": ["a", "b/c"]], "the claim taskids is a resource name: use only the ID c"),
      (["tripId": "t1"], "the claim tripId must be in lower case: write tripid"),
      ([:], "the claim authorization is empty"),
    ] as [([String: Value], String)])
  func invalidClaimsAreRejected(values: [String: Value], message: String) {
    let error = #expect(throws: TokenError.self) { try key.token(.custom(values), at: now) }
    #expect(error?.description == message)
  }

  @Test(arguments: [0, -1, 3601, .nan, .infinity])
  func invalidLifetimesAreRejected(lifetime: Double) {
    #expect(throws: TokenError.self) { try key.token(.server, lifetime: lifetime, at: now) }
  }

  /// Variables and stores of secrets change the line ends of keys.
  @Test(
    arguments: [
      ("\\\\n", true), ("\\\\r\\\\n", true), (" ", true), ("\n", true), ("\r\n", true),
      ("\\n", false),
    ], [RSATestKey.pkcs8, RSATestKey.pkcs1])
  func changedLineEndsAreCorrected(change: (lineEnd: String, isRepaired: Bool), pem: String) throws
  {
    let json = RSATestKey.json(pem).replacing("\\n", with: change.lineEnd)
    let key = try ServiceAccountKey(json: [0xef, 0xbb, 0xbf] + Array(json.utf8))
    #expect(key.isRepaired == change.isRepaired)
    let token = try key.token(.consumer(tripID: "t1"), at: now)
    #expect(try self.key.hasSigned(JSONWebToken(token.value)))
  }

  @Test(arguments: ["\\n", "\\r\\n", "\r"])
  func lineEndsOfTheFileAreCorrected(lineEnd: String) throws {
    let json = RSATestKey.json().replacing("\n", with: lineEnd)
    #expect(try ServiceAccountKey(json: Array(json.utf8)).clientEmail == key.clientEmail)
  }

  @Test(arguments: [
    Named("the file is empty", ""),
    Named("unexpected end of JSON: copy the whole file", "{\"private_key\": \"MII"),
    Named("not a JSON object", "[]"),
    Named("not a JSON object", "\u{0}\u{0}\u{1}"),
    Named("encoded in UTF-16", "{\u{0}\"\u{0}}\u{0}"),
    Named(
      "credentials of type authorized_user cannot sign tokens",
      "{\"type\": \"authorized_user\"}"),
    Named("the field type is not \"service_account\"", "{\"type\": \"hush\"}"),
    Named("the field client_email is missing, empty or not a string", "{}"),
    Named(
      "the field client_email is missing, empty or not a string", "{\"client_email\": \"\"}"),
    Named(
      "the field private_key is missing, empty or not a string",
      "{\"client_email\": \"a\", \"private_key_id\": \"b\", \"private_key\": 5}"),
    Named("private_key has no PEM private key", RSATestKey.json("hush")),
    Named(
      "private_key has 1024 bits; RS256 requires at least 2048: create a new JSON key",
      RSATestKey.json(RSATestKey.short)),
    Named("private_key is not an RSA key", RSATestKey.json(RSATestKey.elliptic)),
  ])
  func invalidKeyFileIsReportedWithoutBeingPrinted(json: Named<String>) throws {
    let message = json.testDescription
    try withTemporaryFile(json.value.utf8) { path in
      let error = #expect(throws: TokenError.self) { try ServiceAccountKey(path: path) }
      let text = try #require(error).description
      #expect(text.hasPrefix("\(path): \(message)"), "\(text)")
      #expect(!text.contains("hush") && !text.contains("MII"))
    }
  }

  @Test(arguments: [
    ("{\n\"a\":  MII}", "2:7", "expected a value"),
    ("{\"a\": \"MII\\hush\"}", "1:11", "malformed string: invalid escape"),
    ("{\"a\": 1}\nMII", "2:1", "unexpected text after the end"),
    ("{\"MII\": 1, \"MII\": 2}", "1:12", "duplicate member"),
  ])
  func syntaxErrorInKeyFileIsLocatedWithoutTheKey(
    json: String, place: String, reason: String
  ) throws {
    try withTemporaryFile(json.utf8) { path in
      let error = #expect(throws: TokenError.self) { try ServiceAccountKey(path: path) }
      #expect(
        error?.description
          == "\(path):\(place): invalid JSON: \(reason): use the unchanged JSON file from Google Cloud"
      )
    }
  }

  @Test func unreadableKeyFileIsReported() {
    let error = #expect(throws: TokenError.self) { try ServiceAccountKey(path: "/none") }
    #expect(error?.description == "/none: No such file or directory")
  }

  @Test func keyIsNotPrinted() {
    var dumped = ""
    dump(key, to: &dumped)
    let provider = ServiceAccountToken(key: key)
    dump(provider, to: &dumped)
    for text in ["\(key)", String(reflecting: key), "\(provider)", dumped] {
      #expect(!text.contains("MII") && !text.contains("RSAKey("), "\(text)")
    }
  }
}
