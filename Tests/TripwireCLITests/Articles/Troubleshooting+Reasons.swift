import Tripwire

@testable import CommandShell

extension Troubleshooting {
  /// Returns the hint of the command for a refusal with this reason.
  private static func hint(
    _ reason: String, _ metadata: [String: String] = [:],
    about subject: Hint.Subject = .resource(resource), hasToken: Bool = true
  ) -> String? {
    let info = ErrorInfo(reason: reason, domain: "googleapis.com", metadata: metadata)
    return Hint(endpoint: endpoint, subject: subject, hasToken: hasToken).text(
      for: CallError(
        code: .permissionDenied, message: "", details: [.errorInfo(info)], origin: .server))
  }

  private static let api = Hint.Subject.method("SERVICE/METHOD")

  static var reasons: [Row] {
    [
      row(
        "SERVICE_DISABLED", cause: "The API is not enabled in the project.",
        hint: hint("SERVICE_DISABLED")),
      row(
        "SERVICE_DISABLED", cause: "The token is of a user, and no project pays for the call.",
        hint: hint("SERVICE_DISABLED", ["consumer": "projects/764086051850"])),
      row(
        "USER_PROJECT_DENIED", cause: "The caller may not use the quota project.",
        hint: hint("USER_PROJECT_DENIED")),
      row(
        "BILLING_DISABLED", cause: "The project has no active billing account.",
        hint: hint("BILLING_DISABLED")),
      row(
        "CONSUMER_INVALID", "RESOURCE_PROJECT_INVALID",
        cause: "The project does not exist, or its ID is malformed.",
        hint: hint("CONSUMER_INVALID")),
      row(
        "CONSUMER_SUSPENDED", "GCP_SUSPENDED", cause: "Google has suspended the project.",
        hint: hint("CONSUMER_SUSPENDED")),
      row(
        "IAM_PERMISSION_DENIED", cause: "The role of the service account does not allow the call.",
        hint: hint("IAM_PERMISSION_DENIED", ["permission": "fleetengine.trips.get"])),
      row(
        "IAM_PERMISSION_DENIED", cause: "The caller may not sign tokens of the service account.",
        hint: hint(
          "IAM_PERMISSION_DENIED", ["permission": "iam.serviceAccounts.signJwt"], about: api)),
      row(
        "IAM_PERMISSION_DENIED",
        cause: "`log --cloud-logging`: the caller may not read the logs of the project.",
        hint: hint(
          "IAM_PERMISSION_DENIED", ["permission": "logging.logEntries.list"],
          about: .logs(
            ofProject: "PROJECT", method: "google.logging.v2.LoggingServiceV2/ListLogEntries"))),
      row(
        "IAM_PERMISSION_DENIED", cause: "`call` of another API: a permission is missing.",
        hint: hint(
          "IAM_PERMISSION_DENIED", ["permission": "PERMISSION", "resource": "RESOURCE"], about: api)
      ),
      row(
        "CREDENTIALS_MISSING", cause: "The call has no token.",
        hint: hint("CREDENTIALS_MISSING", hasToken: false)),
      row(
        "ACCESS_TOKEN_EXPIRED", cause: "The token has expired.", hint: hint("ACCESS_TOKEN_EXPIRED")),
      row(
        "ACCESS_TOKEN_SCOPE_INSUFFICIENT", cause: "The access token does not have the scope.",
        hint: hint("ACCESS_TOKEN_SCOPE_INSUFFICIENT")),
      row(
        "ACCESS_TOKEN_TYPE_UNSUPPORTED", "CREDENTIAL_TYPE_UNSUPPORTED",
        cause: "The token is not of a type that Fleet Engine accepts.",
        hint: hint("ACCESS_TOKEN_TYPE_UNSUPPORTED")),
      row(
        "ACCESS_TOKEN_TYPE_UNSUPPORTED", "CREDENTIAL_TYPE_UNSUPPORTED",
        cause: "`call` of another API: the token is not of a type that it accepts.",
        hint: hint("ACCESS_TOKEN_TYPE_UNSUPPORTED", about: api)),
      row(
        "JWT_TOKEN_INVALID", cause: "The JWT is malformed, or its key is unknown.",
        hint: hint("JWT_TOKEN_INVALID")),
      row(
        "OVERLOADED_CREDENTIALS", cause: "The call has several kinds of credentials.",
        hint: hint("OVERLOADED_CREDENTIALS")),
      row(
        "ACCOUNT_STATE_INVALID", cause: "The account of the token is disabled or deleted.",
        hint: hint("ACCOUNT_STATE_INVALID")),
      row(
        "ACCOUNT_TYPE_UNSUPPORTED", cause: "The API does not accept accounts of this type.",
        hint: hint("ACCOUNT_TYPE_UNSUPPORTED")),
      row(
        "RATE_LIMIT_EXCEEDED", cause: "The project makes too many calls.",
        hint: hint("RATE_LIMIT_EXCEEDED", ["quota_limit": "LIMIT", "quota_limit_value": "600"])),
      row(
        "RESOURCE_QUOTA_EXCEEDED", cause: "The project has too many resources.",
        hint: hint("RESOURCE_QUOTA_EXCEEDED", ["quota_limit": "LIMIT"])),
      row(
        "API_KEY_INVALID", cause: "`-H`: the API key is wrong or has expired.",
        hint: hint("API_KEY_INVALID", about: api)),
      row(
        "API_KEY_SERVICE_BLOCKED", cause: "`-H`: the API key is for other APIs.",
        hint: hint("API_KEY_SERVICE_BLOCKED", about: api)),
      row(
        "API_KEY_IP_ADDRESS_BLOCKED", cause: "`-H`: the API key is for other addresses.",
        hint: hint("API_KEY_IP_ADDRESS_BLOCKED", about: api)),
      row(
        "API_KEY_HTTP_REFERRER_BLOCKED", "API_KEY_ANDROID_APP_BLOCKED", "API_KEY_IOS_APP_BLOCKED",
        cause: "`-H`: the API key is for a website or an app.",
        hint: hint("API_KEY_IOS_APP_BLOCKED", about: api)),
      row(
        "SECURITY_POLICY_VIOLATED", cause: "A perimeter of VPC Service Controls blocks the call.",
        hint: hint("SECURITY_POLICY_VIOLATED", ["uid": "UID"])),
      row(
        "ORG_RESTRICTION_VIOLATION", cause: "The network allows only other organizations.",
        hint: hint("ORG_RESTRICTION_VIOLATION")),
      row(
        "RESOURCE_USAGE_RESTRICTION_VIOLATED", cause: "The organization does not allow the API.",
        hint: hint("RESOURCE_USAGE_RESTRICTION_VIOLATED")),
      row(
        "LOCATION_ORG_POLICY_VIOLATED",
        cause: "`call` of another API: the organization does not allow the location.",
        hint: hint("LOCATION_ORG_POLICY_VIOLATED", about: api)),
      row(
        "USER_BLOCKED_BY_ADMIN",
        cause: "`call` of another API: Google Workspace does not allow it for the user.",
        hint: hint("USER_BLOCKED_BY_ADMIN", about: api)),
    ]
  }
}
