import Testing

@testable import CommandShell
@testable import Tripwire
@testable import TripwireGoogleAuth
@testable import WireGRPC

/// Hints for the reasons of google.api.ErrorReason. `interop/tests/calls/test_error_reasons.py` has the others.
@Suite struct ErrorReasonHintTests {
  private static let trip = Hint.Subject.resource("providers/my-project/trips/t1")
  private static let claims =
    #"{"iss":"fleet@my-project.iam.gserviceaccount.com","exp":784111717,"#
    + #""authorization":{"tripid":"t1"}}"#

  private func hint(
    _ reason: String, _ metadata: [String: String] = [:], message: String = "",
    domain: String = "googleapis.com", code: StatusCode = .permissionDenied,
    about subject: Hint.Subject = trip, hasToken: Bool = true, tokenOption: String? = nil,
    claims: String? = nil, principals: TokenPrincipals = TokenPrincipals(),
    origin: CallError.Origin = .server, trailers: Metadata = [:]
  ) throws -> String? {
    let info = ErrorInfo(reason: reason, domain: domain, metadata: metadata)
    let error = CallError(
      code: code, message: message, details: [.errorInfo(info)], trailers: trailers,
      origin: origin, attempts: 1)
    return Hint.testText(
      for: error, about: subject, hasToken: hasToken, tokenOption: tokenOption,
      sentToken: try claims.map { try JSONWebToken(unsignedToken($0)) }, principals: principals)
  }

  @Test(
    arguments: [
      (
        "SERVICE_DISABLED", ["consumer": "projects/123", "service": "pubsub.googleapis.com"],
        "enable the API: gcloud services enable pubsub.googleapis.com --project=123"
      ),
      (
        "SERVICE_DISABLED", [:],
        "enable the API: gcloud services enable fleetengine.googleapis.com --project=my-project"
      ),
      (
        "SERVICE_DISABLED", ["consumer": "projects/764086051850"],
        "name a quota project: --quota-project ID, or 'gcloud auth application-default set-quota-project ID'"
      ),
      (
        "USER_PROJECT_DENIED", ["consumer": "projects/123"],
        "grant the role Service Usage Consumer on the quota project: gcloud projects"
          + " add-iam-policy-binding 123 --member=PRINCIPAL"
          + " --role=roles/serviceusage.serviceUsageConsumer"
      ),
      (
        "RATE_LIMIT_EXCEEDED",
        ["consumer": "projects/123", "quota_limit": "PerMinute", "quota_limit_value": "600"],
        "slow down, or request more than 600 of the quota PerMinute:"
          + " https://console.cloud.google.com/iam-admin/quotas?project=123"
      ),
      (
        "RATE_LIMIT_EXCEEDED", ["quota_metric": "a.googleapis.com/reads"],
        "slow down, or request more of the quota a.googleapis.com/reads:"
          + " https://console.cloud.google.com/iam-admin/quotas?project=my-project"
      ),
      (
        "RESOURCE_QUOTA_EXCEEDED", [:],
        "delete resources that are not needed, or request more quota:"
          + " https://console.cloud.google.com/iam-admin/quotas?project=my-project"
      ),
      (
        "SECURITY_POLICY_VIOLATED", ["uid": "u-1"],
        "ask the administrator of VPC Service Controls to allow the call with the unique ID u-1:"
          + " https://cloud.google.com/vpc-service-controls/docs/troubleshooting#unique-id"
      ),
      (
        "ACCOUNT_STATE_INVALID", ["email": "a@p.iam.gserviceaccount.com"],
        "enable the service account, or use another one:"
          + " gcloud iam service-accounts enable a@p.iam.gserviceaccount.com"
      ),
      (
        "LOCATION_ORG_POLICY_VIOLATED", ["resource": "projects/9", "location": "locations/asia"],
        "ask the administrator of the organization to allow locations/asia in gcp.resourceLocations:"
          + " gcloud org-policies describe gcp.resourceLocations --effective --project=9"
      ),
    ] as [(String, [String: String], String)])
  func reasonHasItsOwnHint(reason: String, metadata: [String: String], text: String) throws {
    #expect(try hint(reason, metadata) == text)
  }

  @Test(arguments: [
    "The fcm.googleapis.com API requires a quota project, which is not set by default.",
    "We recommend configuring the billing/quota_project setting in gcloud",
  ])
  func messageAboutTheQuotaProjectIsUnderstood(message: String) throws {
    #expect(
      try hint("SERVICE_DISABLED", ["consumer": "projects/1"], message: message)
        == "name a quota project: --quota-project ID, or 'gcloud auth application-default set-quota-project ID'"
    )
  }

  @Test(
    arguments: [
      ("fleetengine.trips.get", "consumerSdkUser"), ("fleetengine.trips.update", "driverSdkUser"),
      ("fleetengine.trips.create", "serviceSuperUser"),
      ("fleetengine.tasks.list", "deliveryFleetReader"),
      ("fleetengine.tasks.create", "deliveryTrustedDriver"),
      ("fleetengine.deliveryvehicles.updateLocation", "deliveryUntrustedDriver"),
      ("fleetengine.deliveryvehicles.delete", "deliverySuperUser"),
      ("fleetengine.tasktrackinginfo.get", "deliveryConsumer"),
    ], ["googleapis.com", "iam.googleapis.com"])
  func missingPermissionNamesTheRole(
    _ right: (permission: String, role: String), domain: String
  ) throws {
    #expect(
      try hint(
        "IAM_PERMISSION_DENIED", ["permission": right.permission], domain: domain,
        tokenOption: "--credentials", claims: Self.claims)
        == "grant the permission \(right.permission):"
        + " gcloud projects add-iam-policy-binding my-project"
        + " --member=serviceAccount:fleet@my-project.iam.gserviceaccount.com"
        + " --role=roles/fleetengine.\(right.role)")
  }

  @Test(
    arguments: [
      (
        ["permission": "iam.serviceAccounts.signJwt"],
        "grant the permission iam.serviceAccounts.signJwt: gcloud iam service-accounts"
          + " add-iam-policy-binding ACCOUNT --member=PRINCIPAL"
          + " --role=roles/iam.serviceAccountTokenCreator"
      ),
      (
        [
          "permission": "iam.serviceAccounts.getAccessToken",
          "resource": "projects/-/serviceAccounts/a@p.iam.gserviceaccount.com",
        ],
        "grant the permission iam.serviceAccounts.getAccessToken on"
          + " projects/-/serviceAccounts/a@p.iam.gserviceaccount.com: gcloud iam service-accounts"
          + " add-iam-policy-binding a@p.iam.gserviceaccount.com --member=PRINCIPAL"
          + " --role=roles/iam.serviceAccountTokenCreator"
      ),
      (
        ["permission": "pubsub.topics.get", "resource": "projects/p/topics/t"],
        "ask for a role with the permission pubsub.topics.get on projects/p/topics/t:"
          + " https://cloud.google.com/iam/docs/roles-permissions"
      ),
    ] as [([String: String], String)])
  func permissionOfAnotherServiceIsNamed(metadata: [String: String], text: String) throws {
    #expect(try hint("IAM_PERMISSION_DENIED", metadata, about: .method("a.S/M")) == text)
  }

  private static let anna = TokenPrincipals(
    caller: .user("anna@example.com"), requester: .user("anna@example.com"))

  @Test func callerOfTheServerIsTheMember() throws {
    let metadata = ["permission": "fleetengine.trips.get"]
    let text = try hint(
      "IAM_PERMISSION_DENIED", metadata, tokenOption: "the credentials of this machine",
      principals: Self.anna)
    #expect(
      text
        == "grant the permission fleetengine.trips.get: gcloud projects add-iam-policy-binding my-project"
        + " --member=user:anna@example.com --role=roles/fleetengine.ondemandAdmin")
    let quota = try hint("USER_PROJECT_DENIED", ["consumer": "projects/1"], principals: Self.anna)
    #expect(quota?.contains(" --member=user:anna@example.com ") == true)
    // The claims name the signer.
    let signed = try hint(
      "IAM_PERMISSION_DENIED", metadata, claims: Self.claims, principals: Self.anna)
    #expect(signed?.contains("--member=serviceAccount:fleet@my-project.iam") == true)
    let disabled = try hint(
      "ACCOUNT_STATE_INVALID",
      principals: TokenPrincipals(caller: .serviceAccount("a@p.example"), requester: nil))
    #expect(disabled?.hasSuffix(" enable a@p.example") == true)
  }

  /// Each account of the chain needs the role on the next one.
  @Test(
    arguments: [
      (["b@p.example"], "b@p.example", "b@p.example --member=user:anna@example.com"),
      (["b@p.example"], nil, "b@p.example --member=user:anna@example.com"),
      (
        ["b@p.example", "c@p.example"], "b@p.example", "b@p.example --member=user:anna@example.com"
      ),
      (
        ["b@p.example", "c@p.example"], "c@p.example",
        "c@p.example --member=serviceAccount:b@p.example"
      ),
      (["b@p.example", "c@p.example"], nil, "ACCOUNT --member=PRINCIPAL"),
      (["b@p.example"], "d@p.example", "d@p.example --member=PRINCIPAL"),
      (["$(reboot)"], nil, "ACCOUNT --member=user:anna@example.com"),
    ] as [([String], String?, String)])
  func requesterOfTokensIsTheMember(accounts: [String], resource: String?, words: String) throws {
    var metadata = ["permission": "iam.serviceAccounts.signJwt"]
    metadata["resource"] = resource.map { "projects/-/serviceAccounts/\($0)" }
    let principals = TokenPrincipals(
      caller: .serviceAccount("z@p.example"), requester: .user("anna@example.com"),
      accounts: accounts)
    // The claims are those of an earlier token.
    let text = try hint(
      "IAM_PERMISSION_DENIED", metadata, tokenOption: "--sign-as", claims: Self.claims,
      principals: principals, origin: .local)
    #expect(text?.contains(" add-iam-policy-binding \(words) --role=") == true, "\(text ?? "")")
  }

  @Test(arguments: ["a;b@p.example", "$(x)@p.example", "-a@p.example", ""])
  func addressThatAShellMayMisreadIsNotShown(address: String) throws {
    let text = try hint(
      "IAM_PERMISSION_DENIED", ["permission": "fleetengine.trips.get"],
      tokenOption: "--access-token",
      principals: TokenPrincipals(caller: .user(address), requester: nil))
    let isWord = address == "-a@p.example"
    #expect(
      text?.contains("--member=\(isWord ? "user:-a@p.example" : "PRINCIPAL") ") == !address.isEmpty)
  }

  /// The claims are evidence. Without a permission, the general hint remains.
  @Test func claimsForAnotherTripAreTheReason() throws {
    let metadata = ["permission": "fleetengine.trips.get"]
    let claims = #"{"authorization":{"tripid":"t2"}}"#
    let text = try hint("IAM_PERMISSION_DENIED", metadata, claims: claims)
    #expect(text == "get a token whose claim tripid is t1: this one is for the trip t2")
    #expect(try hint("IAM_PERMISSION_DENIED")?.hasPrefix("check the claims with") == true)
    #expect(
      try hint("IAM_PERMISSION_DENIED", metadata, hasToken: false)?.hasPrefix("pass a token")
        == true
    )
  }

  @Test(arguments: [
    ("--token-file", "get a new token: this one has expired"),
    (
      "--credentials",
      "set the clock of this machine, for example with NTP: for the server, this token has expired"
    ),
    (
      "--sign-as",
      "set the clock of this machine, for example with NTP: for the server, this token has expired"
    ),
  ])
  func expiredTokenNeedsANewOneOrTheTime(option: String, text: String) throws {
    let found = try hint("ACCESS_TOKEN_EXPIRED", code: .unauthenticated, tokenOption: option)
    #expect(found == text)
    let date = try Metadata([("date", "Sun, 06 Nov 1994 08:49:37 GMT")])
    let dated = try hint(
      "ACCESS_TOKEN_EXPIRED", code: .unauthenticated, tokenOption: option, claims: Self.claims,
      trailers: date)
    #expect(dated?.hasSuffix("by the clock of the server, this one expired 1 min ago") == true)
  }

  @Test func credentialsThatTheServerDoesNotSeeAreNotMissing() throws {
    let without = try hint("CREDENTIALS_MISSING", code: .unauthenticated, hasToken: false)
    #expect(without?.hasPrefix("pass a token with --access-token SOURCE") == true)
    let with = try hint("CREDENTIALS_MISSING", code: .unauthenticated)
    #expect(with?.hasPrefix("get a new token") == true)
  }

  @Test(arguments: ["ACCESS_TOKEN_TYPE_UNSUPPORTED", "JWT_TOKEN_INVALID"])
  func rejectedTokenOfAKeyIsAProblemOfTheKey(reason: String) throws {
    let text = try hint(reason, tokenOption: "--credentials", claims: Self.claims)
    #expect(text?.hasPrefix("use another key in --credentials") == true, "\(text ?? "")")
  }

  @Test(arguments: [
    "", "example.com", "notgoogleapis.com", "googleapis.com.example.com", "GOOGLEAPIS.COM",
    "example.com/googleapis.com",
  ])
  func domainsOfOthersHaveTheGeneralHint(domain: String) throws {
    let text = try hint("SERVICE_DISABLED", domain: domain)
    #expect(text == Hint.testText(for: .fromServer(.permissionDenied), about: Self.trip))
  }

  @Test(arguments: ["", "NEWER_REASON", "service_disabled", "SESSION_COOKIE_INVALID"])
  func unknownReasonHasTheGeneralHint(reason: String) throws {
    let text = try hint(reason)
    #expect(text == Hint.testText(for: .fromServer(.permissionDenied), about: Self.trip))
  }

  @Test(arguments: [
    "$(reboot)", "a;b", "a b", "`x`", "a'b", "a\"b", "a|b", "a&b", "*", "~", "-f", "\u{1b}[31m",
    "a\nb", "é", "\u{202e}a", "", String(repeating: "a", count: 10_000),
  ])
  func commandHasNoValueThatAShellMayMisread(value: String) throws {
    #expect(
      try hint(
        "SERVICE_DISABLED", ["consumer": "projects/\(value)", "service": value],
        about: .method("a.S/M"))
        == "enable the API: gcloud services enable SERVICE --project=PROJECT")
    #expect(
      try hint("ACCOUNT_STATE_INVALID", ["email": value])?.hasSuffix(" enable ACCOUNT") == true)
    let metadata = [
      "permission": "iam.serviceAccounts.signJwt",
      "resource": "projects/-/serviceAccounts/\(value)",
    ]
    let text = try hint(
      "IAM_PERMISSION_DENIED", metadata, about: .method("a.S/M"), claims: #"{"iss":"x;y"}"#)
    #expect(
      text?.hasSuffix(" ACCOUNT --member=PRINCIPAL --role=roles/iam.serviceAccountTokenCreator")
        == true, "\(text ?? "")")
  }

  @Test(arguments: [
    "\u{1b}[2J\u{9b}1m\u{202e}x\nhint: forged", String(repeating: "x", count: 10_000),
    String(repeating: "\u{301}", count: 10_000),
  ])
  func shownValuesAreEscapedAndWhole(value: String) throws {
    for (reason, key) in [
      ("IAM_PERMISSION_DENIED", "permission"), ("IAM_PERMISSION_DENIED", "resource"),
      ("RATE_LIMIT_EXCEEDED", "quota_limit"), ("SECURITY_POLICY_VIOLATED", "uid"),
      ("SYSTEM_PARAMETER_UNSUPPORTED", "parameter"), ("LOCATION_POLICY_VIOLATED", "location"),
      ("TLS_CIPHER_RESTRICTION_VIOLATED", "checked_value"),
    ] {
      var metadata = ["permission": "p"]
      metadata[key] = value
      let text = try #require(try hint(reason, metadata))
      #expect(text.unicodeScalars.count < 600, "\(reason)")
      #expect(!text.contains("xxx"), "a part of a value is not masked")
      #expect(
        !text.unicodeScalars.contains { "\u{1b}\u{9b}\u{202e}\n".unicodeScalars.contains($0) })
    }
  }
}
