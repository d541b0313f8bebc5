import Testing

@testable import CommandShell
@testable import TokenCommands
@testable import Tripwire

@Suite struct TokenReportTests {
  private func report(_ checks: TokenCheck...) throws -> TokenReport {
    // {"alg":"RS256"} and {"exp":1795257000}
    let token = try JSONWebToken("eyJhbGciOiJSUzI1NiJ9.eyJleHAiOjE3OTUyNTcwMDB9.c2ln")
    return TokenReport(token: token, checks: [.ok("alg", "RS256")] + checks)
  }

  @Test func uncheckedSignatureIsNotValid() throws {
    let report = try report(TokenChecks.uncheckedSignature)
    #expect(report.hasNoFailedCheck)
    #expect(
      report.text(TestConsole.clock) == """
        alg  RS256
        exp  1795257000  10:30:00 UTC (in 1 h)

        unchecked: signature was not verified: anyone may have signed the token
          pass the key with --key FILE: PEM, or the JSON of the service account
        1 check passed: alg; not checked: signature

        """)
    #expect(
      report.json.hasSuffix(
        #"{"name":"signature","outcome":"unchecked","message":"was not verified: anyone may have"#
          + #" signed the token","cure":"pass the key with --key FILE: PEM, or the JSON of the service"#
          + #" account"}],"valid":null}"# + "\n"))
  }

  @Test func checkedSignatureIsValid() throws {
    let report = try report(TokenChecks.signature(isOfKey: true))
    #expect(report.text(TestConsole.clock).hasSuffix("\n2 checks passed: alg, signature\n"))
    #expect(report.json.hasSuffix(#""valid":true}"# + "\n"))
  }

  /// The claims come from the token, and may contain anything.
  @Test func jsonIsSafeToPrint() throws {
    // {} and {"sub":"a\u{202e}b"}
    let token = try JSONWebToken("e30.eyJzdWIiOiJh4oCuYiJ9.c2ln")
    let report = TokenReport(token: token, checks: [])
    #expect(
      report.json == #"{"header":{},"claims":{"sub":"a\u202eb"},"checks":[],"valid":true}"# + "\n")
  }

  @Test func failedCheckIsInvalid() throws {
    let report = try report(TokenChecks.uncheckedSignature, .failed("aud", "is x", "fix it"))
    #expect(!report.hasNoFailedCheck)
    #expect(
      report.text(TestConsole.clock)
        .hasSuffix("\n2 checks, 1 failed: Fleet Engine will reject the token\n"))
    #expect(report.json.hasSuffix(#""valid":false}"# + "\n"))
  }

  private static func notFor(_ id: String) -> TokenCheck {
    var check = TokenCheck.failed("for \(id)", "x", "y")
    check.id = id
    return check
  }

  @Test(arguments: [
    ([notFor("t2")], "the token is not for t2"),
    (
      [notFor("t2"), notFor("t3")],
      "the token is not for t2, t3"
    ),
    (
      [TokenChecks.signature(isOfKey: false), .failed("kid", "x", "y")],
      "the token was not signed with this key"
    ),
    (
      [TokenChecks.signature(isOfKey: false), .failed("exp", "x", "y")],
      "Fleet Engine will reject the token"
    ),
    ([TokenCheck.failed("kid", "x", "y")], "Fleet Engine will reject the token"),
  ])
  func failedCheckOfAnOptionDoesNotMakeTheTokenInvalid(
    checks: [TokenCheck], meaning: String
  ) throws {
    let token = try report().token
    let text = TokenReport(token: token, checks: checks).text(TestConsole.clock)
    #expect(text.hasSuffix("\(checks.count) failed: \(meaning)\n"))
  }

  @Test func showsTheTimeZone() throws {
    let clock = WallClock(now: TestConsole.clock.now) { _ in 7_200 }
    #expect(
      try report().text(clock).contains("\nexp  1795257000  12:30:00 +02:00 (in 1 h)\n"))
  }

  @Test func claimNamesAreEscaped() throws {
    let text = try report(.ok("\u{1b}[31m", "")).text(TestConsole.clock)
    #expect(text.hasSuffix("passed: alg, \\u{1b}[31m\n"), "\(text)")
  }

  @Test(arguments: [
    (#"{"vehicleid":"v1"}"#, "the vehicle v1"), (#"{"tripid":"*"}"#, "all trips"),
    (#"{"tripid":"*","vehicleid":"v1"}"#, "all trips; the vehicle v1"),
    (#"{"taskids":["a","b"]}"#, "the tasks a, b"), (#"{"trackingid":"x"}"#, "the shipment x"),
  ])
  func statesTheResourcesOfTheToken(claims: String, resources: String) throws {
    let token = try JSONWebToken(unsignedToken(#"{"authorization":\#(claims)}"#))
    let text = TokenReport(token: token, checks: [.ok("alg", "RS256")]).text(TestConsole.clock)
    #expect(text.hasSuffix("\n\nthe token is for \(resources)\n1 check passed: alg\n"), "\(text)")
  }

  @Test(arguments: [#"{}"#, #"{"authorization":{}}"#, #"{"authorization":{"other":"x"}}"#])
  func tokenWithoutKnownClaimsHasNoResources(claims: String) throws {
    let token = try JSONWebToken(unsignedToken(claims))
    let text = TokenReport(token: token, checks: []).text(TestConsole.clock)
    #expect(!text.contains("the token is for"), "\(text)")
  }
}
