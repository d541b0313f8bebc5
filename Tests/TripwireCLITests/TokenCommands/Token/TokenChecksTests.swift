import TestSupport
import Testing
import WireGRPC

@testable import CommandShell
@testable import TokenCommands
@testable import Tripwire

@Suite struct TokenChecksTests {
  /// A valid token for Fleet Engine, of which tests replace parts.
  private static let header = #"{"alg":"RS256","typ":"JWT","kid":"k1"}"#
  private static let claims =
    #"{"iss":"b@p.iam","sub":"b@p.iam","aud":"https://fleetengine.googleapis.com/","#
    + #""iat":1795253400,"exp":1795257000,"authorization":{"tripid":"t1"}}"#

  private static func token(
    _ header: String = header, _ claims: String = claims, signature: String = "c2ln"
  ) -> String {
    [header, claims].map { text in
      Base64.encode(Array(text.utf8)).map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }
        .map(String.init).joined()
    }.joined(separator: ".") + "." + signature
  }

  private func checks(
    _ token: String = token(), now: Int64 = TestConsole.clock.now, trip: String? = nil
  ) throws -> [TokenCheck] {
    TokenChecks(
      token: try JSONWebToken(token), clock: WallClock(now: now) { _ in 0 },
      wanted: trip.map { [("tripid", $0)] } ?? [], signature: []
    ).all
  }

  private func findings(
    _ token: String = token(), now: Int64 = TestConsole.clock.now, trip: String? = nil
  ) throws -> [String] {
    try checks(token, now: now, trip: trip).filter { $0.outcome != .ok }.map { check in
      #expect(check.cure?.isEmpty == false)
      return "\(check.outcome): \(check.text)"
    }
  }

  @Test func cureNamesAllIDsOfAClaim() throws {
    let checks = TokenChecks(
      token: try JSONWebToken(Self.token()), clock: TestConsole.clock,
      wanted: [("tripid", "t1"), ("taskids", "a"), ("taskids", "b")], signature: []
    ).all
    #expect(
      checks.filter { $0.outcome == .failed }.map(\.cure)
        == ["get a token with the taskids a,b", "get a token with the taskids a,b"])
  }

  @Test func reportsNothingForAValidToken() throws {
    #expect(try findings().isEmpty)
    #expect(try findings(trip: "t1").isEmpty)
    #expect(
      try checks().map(\.name) == ["alg", "typ", "kid", "iss", "aud", "iat", "exp", "tripid"])
  }

  @Test(arguments: [
    (#""alg":"RS256""#, #""alg":"HS256""#, ["failed: alg is HS256, not RS256"]),
    (#""alg":"RS256","#, "", ["failed: alg is missing"]),
    (#""typ":"JWT""#, #""typ":"x""#, ["warning: typ is not JWT"]),
    (
      #""kid":"k1""#, #""kid":"""#,
      ["failed: kid is empty: the server cannot select the key"]
    ),
    (#","kid":"k1""#, "", ["failed: kid is missing"]),
    (#""RS256""#, "5", ["failed: alg is not a string"]),
    (#""iss":"b@p.iam""#, #""iss":5"#, ["failed: iss is not a string"]),
    (#""sub":"b@p.iam""#, #""sub":"x@p.iam""#, ["failed: sub is x@p.iam, but iss is b@p.iam"]),
    (#""sub":"b@p.iam","#, "", ["failed: sub is missing"]),
    (#""iss":"b@p.iam","#, "", ["failed: iss is missing"]),
    (
      #""iss":"b@p.iam","sub":"b@p.iam""#, #""iss":"b","sub":"b""#,
      ["failed: iss is b, which is not an email address"]
    ),
    ("googleapis.com/", "googleapis.com", ["failed: aud lacks the trailing slash"]),
    (
      "https://fleetengine.googleapis.com/", "https://oauth2.googleapis.com/token",
      ["failed: aud is https://oauth2.googleapis.com/token"]
    ),
    (
      #""https://fleetengine.googleapis.com/""#, #"["https://fleetengine.googleapis.com/"]"#,
      ["failed: aud is not a string"]
    ),
    (#""aud":"https://fleetengine.googleapis.com/","#, "", ["failed: aud is missing"]),
    (#""iat":1795253400,"#, "", ["failed: iat is missing"]),
    (#""exp":1795257000,"#, "", ["failed: exp is missing"]),
    ("1795253400", "1795253400000", ["failed: iat is in milliseconds"]),
    (#""exp":1795257000"#, #""exp":"1795257000""#, ["failed: exp is not a number"]),
    ("1795257000", "-5", ["failed: exp is negative"]),
    ("1795257000", "1e300", ["failed: exp is out of range"]),
    (#""iat""#, #""nbf":1795253400,"iat""#, []),
    (
      #""iat""#, #""nbf":1795253401,"iat""#,
      ["warning: nbf is 09:30:01 UTC (in 1 s): the token may not be valid yet"]
    ),
    (
      #""iat""#, #""nbf":1795263399,"iat""#,
      ["failed: nbf is 12:16:39 UTC (in 2 h 46 min): the token is not valid yet"]
    ),
    (#""iat""#, #""nbf":"x","iat""#, ["failed: nbf is not a number"]),
    (
      #""tripid":"t1""#, #""tripid":" t1""#,
      ["warning: tripid has leading or trailing white space"]
    ),
    (
      #""tripid":"t1""#, #""tripid":"a:b""#,
      ["failed: tripid is not an ID: a trip ID must not contain a \":\""]
    ),
    ("1795257000", "1795257001", ["failed: exp is 3601 s after iat"]),
    ("1795257000", "1795257000.5", ["failed: exp is 3601 s after iat"]),
    ("1795257000", "1795253400", ["failed: exp is not after iat"]),
    (
      #""authorization":{"tripid":"t1"}"#, #""x":1"#,
      [
        "warning: authorization is missing: this is a back end's token, which grants what the roles of its account"
          + " allow"
      ]
    ),
    (
      #""authorization":{"tripid":"t1"}"#, #""scope":"x""#,
      [
        "warning: authorization is missing: this is a back end's token, which grants what the roles of its account"
          + " allow"
      ]
    ),
    (
      #""authorization":{"tripid":"t1"}"#, #""scope":"""#,
      [
        "warning: authorization is missing: this is a back end's token, which grants what the roles of its account"
          + " allow"
      ]
    ),
    (#"{"tripid":"t1"}"#, "{}", ["failed: authorization is not a JSON object with claims"]),
    (#"{"tripid":"t1"}"#, #""t1""#, ["failed: authorization is not a JSON object with claims"]),
    (#""tripid":"t1""#, #""tripid":1"#, ["failed: tripid is not a string"]),
    (#""tripid":"t1""#, #""tripid":"""#, ["failed: tripid is empty"]),
    (#""tripid":"t1""#, #""tripId":"t1""#, ["failed: tripId must be in lower case"]),
    (
      #""tripid":"t1""#, #""tripid":"providers/p/trips/t1""#,
      ["failed: tripid is a resource name: providers/p/trips/t1"]
    ),
    (#""tripid":"t1""#, #""taskids":["a","b"]"#, []),
    (#""tripid":"t1""#, #""taskids":"*""#, ["failed: taskids is not an array of strings"]),
    (#""tripid":"t1""#, #""taskids":["a",1]"#, ["failed: taskids is not an array of strings"]),
    (#""tripid":"t1""#, #""taskids":[]"#, ["failed: taskids is empty"]),
    (#""tripid":"t1""#, #""taskids":["a/b"]"#, ["failed: taskids is a resource name: a/b"]),
    (
      #""tripid":"t1""#, #""taskids":["*"]"#,
      ["warning: taskids is *, which grants access to all tasks"]
    ),
    (#""tripid":"t1""#, #""trip":"t1""#, ["warning: trip is not a claim of Fleet Engine"]),
    (
      #""tripid":"t1""#, #""tripid":"*""#,
      ["warning: tripid is *, which grants access to all trips"]
    ),
  ])
  func reportsEachFault(part: String, instead: String, findings: [String]) throws {
    let header = Self.header.replacing(part, with: instead)
    let claims = Self.claims.replacing(part, with: instead)
    #expect(header != Self.header || claims != Self.claims)
    #expect(try self.findings(Self.token(header, claims)) == findings)
  }

  @Test func reportsAMissingSignature() throws {
    #expect(
      try findings(Self.token(signature: ""))
        == ["failed: alg is RS256, but the token has no signature"])
    let unsigned = Self.token(Self.header.replacing("RS256", with: "none"), signature: "")
    #expect(try findings(unsigned) == ["failed: alg is none: the token is unsigned"])
  }

  @Test(
    arguments: [
      (-601, ["failed: iat is in the future: 09:30:00 UTC (in 10 min 1 s)"]), (-600, []), (0, []),
      (3300, []),
      (3301, ["warning: exp is less than 5 min from now: 10:30:00 UTC (in 4 min 59 s)"]),
      (3600, ["warning: exp is less than 5 min from now: 10:30:00 UTC (now)"]),
      (3601, ["failed: exp has passed: 10:30:00 UTC (1 s ago)"]),
    ] as [(Int64, [String])])
  func checksTheTimes(offset: Int64, findings: [String]) throws {
    #expect(try self.findings(now: TestConsole.clock.now + offset) == findings)
  }

  @Test func reportsAllErrorsOfATime() throws {
    let token = Self.token(Self.header, Self.claims.replacing("1795257000", with: "1795260600"))
    #expect(
      try findings(token, now: TestConsole.clock.now + 7201)
        == ["failed: exp is 7200 s after iat", "failed: exp has passed: 11:30:00 UTC (1 s ago)"])
  }

  @Test func trustedDriverMayHaveAllTasks() throws {
    func findings(_ authorization: String) throws -> [String] {
      let claims = Self.claims.replacing(#"{"tripid":"t1"}"#, with: authorization)
      return try self.findings(Self.token(Self.header, claims))
    }
    #expect(try findings(#"{"deliveryvehicleid":"v","taskid":"*"}"#).isEmpty)
    #expect(
      try findings(#"{"deliveryvehicleid":"*","taskid":"*"}"#)
        == [
          "warning: deliveryvehicleid is *, which grants access to all delivery vehicles",
          "warning: taskid is *, which grants access to all tasks",
        ])
  }

  @Test func checksTheKeyOfTheSignature() throws {
    let key = try ServiceAccountKey(json: Array(RSATestKey.json().utf8))
    let good = try key.token(.consumer(tripID: "t1"), at: 1_795_253_400).value
    let other = Self.token(Self.header.replacing("k1", with: "k2"))
    #expect(
      TokenChecks.signature(of: try JSONWebToken(good), by: key)
        == [.ok("signature", "matches this key")])
    #expect(
      TokenChecks.signature(of: try JSONWebToken(other), by: key).map(\.name)
        == ["signature", "kid", "iss"])
  }

  @Test func checksTheRequestedIDs() throws {
    #expect(try findings(trip: "t2") == ["failed: tripid is \"t1\", expected \"t2\""])
    let vehicle = Self.token(
      Self.header, Self.claims.replacing(#""tripid":"t1""#, with: #""vehicleid":"v1""#))
    #expect(try findings(vehicle, trip: "t2") == ["failed: tripid is missing, expected \"t2\""])
    let any = Self.token(Self.header, Self.claims.replacing(#":"t1""#, with: #":"*""#))
    var ok = TokenCheck.ok("for t2", "tripid is *, which includes t2")
    ok.id = "t2"
    #expect(try checks(any, trip: "t2").contains(ok))
    let spaced = Self.token(Self.header, Self.claims.replacing(#":"t1""#, with: #":" t1""#))
    #expect(try findings(spaced, trip: "t1").contains("failed: tripid is \" t1\", expected \"t1\""))
    let none = Self.token(Self.header, Self.claims.replacing(#":"t1""#, with: #":"""#))
    #expect(try findings(none, trip: "t1").contains("failed: tripid is \"\", expected \"t1\""))
  }
}
