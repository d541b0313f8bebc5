import Testing

@testable import CommandShell
@testable import Tripwire
@testable import WireGRPC

/// Hints about a token whose claims are known.
@Suite struct TokenHintTests {
  private static let search = "maps.fleetengine.v1.TripService/SearchTrips"
  private static let forAllTrips =
    "use a token for all resources: tripwire token mint --sign-as ACCOUNT --trip '*'"

  private func hint(
    _ claims: String, _ subject: Hint.Subject = .resource("providers/p/trips/t1"),
    _ code: StatusCode = .unauthenticated
  ) throws -> String? {
    let token = try JSONWebToken(unsignedToken(claims))
    return Hint.testText(
      for: .fromServer(code), about: subject, tokenOption: "--token-file", sentToken: token)
  }

  @Test(
    arguments: [
      (#"{"vehicleid":"v1"}"#, "the vehicle v1"), (#"{"tripid":"t2"}"#, "the trip t2"),
      (#"{}"#, "no resource"), (#"{"vehicleid":"\u001b"}"#, #"the vehicle \u{1b}"#),
    ], [StatusCode.unauthenticated, .permissionDenied])
  func namesTheMissingClaim(_ token: (claims: String, resources: String), code: StatusCode) throws {
    #expect(
      try hint(#"{"authorization":\#(token.claims)}"#, code: code)
        == "get a token whose claim tripid is t1: this one is for \(token.resources)")
  }

  private func hint(_ claims: String, code: StatusCode) throws -> String? {
    try hint(claims, .resource("providers/p/trips/t1"), code)
  }

  @Test(arguments: [
    (Hint.Subject.changed("providers/p/tasks/a", method: "x/CreateTask"), "claim taskid is a:"),
    (.method(search), forAllTrips),
  ])
  func namesTheClaimOfTheMethod(subject: Hint.Subject, part: String) throws {
    for code in [StatusCode.unauthenticated, .permissionDenied] {
      let text = try hint(#"{"authorization":{"tripid":"t2"}}"#, subject, code)
      #expect(text?.contains(part) == true, "\(text ?? "")")
    }
  }

  /// The server then has another reason.
  @Test(arguments: [
    #"{"authorization":{"tripid":"t1"}}"#, #"{"authorization":{"tripid":"*"}}"#,
    #"{"scope":"https://www.googleapis.com/auth/cloud-platform"}"#,
  ])
  func sufficientClaimsAreNotTheReason(claims: String) throws {
    let text = try hint(claims)
    #expect(text?.hasPrefix("get a new token: this one has expired or") == true, "\(text ?? "")")
  }

  @Test func tokenForAllIsNotToBeReplacedByOne() throws {
    let text = try hint(
      #"{"authorization":{"tripid":"*"}}"#, .method(Self.search), .permissionDenied)
    #expect(text?.hasPrefix("check the claims with") == true, "\(text ?? "")")
  }

  @Test func otherServicesHaveOtherClaims() throws {
    let text = try hint(#"{"authorization":{"vehicleid":"v1"}}"#, .method("a.S/M"))
    #expect(text == "get a new token: this one has expired or the server does not accept it")
  }

  private func clockHint(_ claims: String, option: String, date: String?) throws -> String? {
    let token = try JSONWebToken(unsignedToken(claims))
    var error = CallError.fromServer(.unauthenticated)
    if let date { error.trailers = try Metadata([("date", date)]) }
    return Hint.testText(
      for: error, about: .resource("providers/p/trips/t1"), tokenOption: option, sentToken: token)
  }

  /// Sun, 06 Nov 1994 08:49:37 GMT is 784111777.
  @Test(
    arguments: [
      (
        #"{"iat":784122577,"exp":784126177}"#,
        "set the clock of this machine, for example with NTP: by the clock of the server, this token is"
          + " not valid for another 3 h",
        "set the clock of the machine that signs the tokens, for example with NTP: by the clock"
      ),
      (
        #"{"nbf":784111839,"iat":784111777}"#, "set the clock of this",
        "set the clock of the machine"
      ),
      (
        #"{"iat":1,"exp":784111717}"#,
        "set the clock of this machine, for example with NTP: by the clock of the server, this one"
          + " expired 1 min ago",
        "get a new token: by the clock of the server, this one expired 1 min ago"
      ),
      (
        #"{"iat":784111837,"exp":784111778}"#, "use another key in --credentials",
        "get a new token: this one has expired or"
      ),
      (#"{"iat":1e300,"exp":-1e300}"#, "use another key", "get a new token: this one has"),
    ] as [(String, String, String)])
  func dateOfTheServerTellsAWrongClock(claims: String, ofKey: String, ofFile: String) throws {
    let ofSigner = ofKey.hasPrefix("set the clock") ? ofKey : ofFile
    for (option, start) in [
      ("--credentials", ofKey), ("--sign-as", ofSigner), ("--token-file", ofFile),
    ] {
      let date = "Sun, 06 Nov 1994 08:49:37 GMT"
      let text = try clockHint(claims, option: option, date: date)
      #expect(text?.hasPrefix(start) == true, "\(text ?? "")")
      for other in [nil, "1994-11-06"] {
        let text = try clockHint(claims, option: option, date: other)
        #expect(text?.contains("clock") == false, "\(text ?? "")")
      }
    }
  }
}
