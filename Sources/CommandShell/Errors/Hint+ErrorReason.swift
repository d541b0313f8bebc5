import CommandLine
import Tripwire
import TripwireGoogleAuth
import WireGRPC

extension Hint {
  /// The hint for a reason of google.api.ErrorReason that a service of Google gives; nil for other reasons.
  ///
  /// No call meets the others of the enum: SESSION_COOKIE_INVALID and MISSING_ORIGIN are for browsers,
  /// CREDENTIAL_ANDROID_APP_INVALID for Android apps, MCP_SERVER_DISABLED for the Model Context Protocol.
  func text(forReasonOf error: CallError) -> String? {
    guard let info = error.errorInfo, info.isOfGoogle else { return nil }
    let service =
      info.word("service")
      ?? subject.service ?? "SERVICE"
    let consumer = info.id(in: "consumer", after: "projects")
    let knownProject = consumer ?? info.id(in: "resource", after: "projects") ?? provider
    let project = knownProject ?? "PROJECT"
    /// The address of a page of the Cloud console.
    func console(_ page: String) -> String {
      "https://console.cloud.google.com/\(page)" + (knownProject.map { "?project=\($0)" } ?? "")
    }
    /// The hint about a restriction that the organization sets.
    func policy(_ constraint: String, allow subject: String) -> String {
      "ask the administrator of the organization to allow \(subject) in \(constraint):"
        + " gcloud org-policies describe \(constraint) --effective --project=\(project)"
    }
    switch info.reason {
    // The API and the project.
    case "SERVICE_DISABLED" where error.isWithoutQuotaProject(consumer):
      return
        "name a quota project: --quota-project ID, or 'gcloud auth application-default set-quota-project ID'"
    case "SERVICE_DISABLED":
      return "enable the API: gcloud services enable \(service) --project=\(project)"
    case "SERVICE_NOT_VISIBLE":
      return "ask the owner of \(service) to make it visible to project \(project)"
    case "BILLING_DISABLED":
      return "link the project to an active billing account:"
        + " gcloud billing projects link \(project) --billing-account=ID"
    case "USER_PROJECT_DENIED":
      return "grant the role Service Usage Consumer on the quota project: "
        + grant(
          "serviceusage.serviceUsageConsumer", on: consumer ?? "PROJECT", to: caller(of: error))
    case "CONSUMER_INVALID", "RESOURCE_PROJECT_INVALID":
      return "check that the project exists: gcloud projects describe \(project)"
    case "CONSUMER_SUSPENDED", "GCP_SUSPENDED":
      return "ask Google to end the suspension of project \(project):"
        + " https://cloud.google.com/resource-manager/docs/project-suspension-guidelines"

    // The token and its account.
    case "CREDENTIALS_MISSING":
      return hasToken ? tokenFault(error) : passToken
    case "ACCESS_TOKEN_EXPIRED":
      return text(forClockIn: error)
        ?? (hasTimesOfThisMachine
          ? Self.setClock(of: "this machine") + ": for the server, this token has expired"
          : "get a new token: this one has expired")
    case "ACCESS_TOKEN_SCOPE_INSUFFICIENT":
      let scope = "https://www.googleapis.com/auth/cloud-platform"
      return "get a token with the scope \(scope):"
        + " gcloud auth application-default login --scopes=\(scope); or on Compute Engine:"
        + " gcloud compute instances set-service-account INSTANCE --scopes=cloud-platform"
    case "ACCESS_TOKEN_TYPE_UNSUPPORTED", "CREDENTIAL_TYPE_UNSUPPORTED":
      let accessToken = "an OAuth access token (--access-token adc)"
      guard subject.isOfFleetEngine else { return "pass \(accessToken)" }
      return tokenFault(error)
        ?? "pass a JWT that a service account signs (--sign-as ACCOUNT), or \(accessToken)"
    case "JWT_TOKEN_INVALID":
      return tokenFault(error)
        ?? "check the token with \(inspection): the server does not accept this JWT"
    case "OVERLOADED_CREDENTIALS":
      return "pass only one kind of credentials: a token, or an API key with -H"
    case "ACCOUNT_STATE_INVALID":
      return "enable the service account, or use another one: gcloud iam service-accounts enable "
        + (info.word("email") ?? serviceAccount(of: error) ?? "ACCOUNT")
    case "ACCOUNT_TYPE_UNSUPPORTED":
      return "use an access token of a service account: --access-token"
        + " 'command:gcloud auth print-access-token --impersonate-service-account=ACCOUNT'"
    case "USER_BLOCKED_BY_ADMIN":
      return "ask the administrator of Google Workspace to turn on \(service) for this account:"
        + " https://support.google.com/a/answer/9197205"
    case "IAM_PERMISSION_DENIED":
      return text(forPermissionIn: info, of: error, on: project)

    // The API key.
    case "API_KEY_INVALID":
      return "pass a valid API key: \(console("apis/credentials"))"
    case "API_KEY_SERVICE_BLOCKED":
      return "allow \(service) in the API restrictions of the key: \(console("apis/credentials"))"
    case "API_KEY_IP_ADDRESS_BLOCKED":
      return "allow the address of this machine in the restrictions of the API key:"
        + " \(console("apis/credentials"))"
    case "API_KEY_HTTP_REFERRER_BLOCKED", "API_KEY_ANDROID_APP_BLOCKED", "API_KEY_IOS_APP_BLOCKED":
      return "use an API key that is not restricted to websites or apps:"
        + " \(console("apis/credentials"))"

    // Quotas.
    case "RATE_LIMIT_EXCEEDED", "EMULATOR_QUOTA_EXCEEDED":
      return "slow down, or request \(info.moreQuota): \(console("iam-admin/quotas"))"
    case "RESOURCE_QUOTA_EXCEEDED":
      return "delete resources that are not needed, or request \(info.moreQuota):"
        + " \(console("iam-admin/quotas"))"

    // Restrictions by administrators.
    case "SECURITY_POLICY_VIOLATED":
      return "ask the administrator of VPC Service Controls to allow the call"
        + (info.text("uid").map { " with the unique ID \($0)" } ?? "")
        + ": https://cloud.google.com/vpc-service-controls/docs/troubleshooting#unique-id"
    case "ORG_RESTRICTION_VIOLATION":
      return
        "ask the administrator of your network to allow the organization of project \(project) in the"
        + " header X-Goog-Allowed-Resources"
    case "ORG_RESTRICTION_HEADER_INVALID":
      return "correct the header X-Goog-Allowed-Resources, which -H or a proxy of your network adds"
    case "SYSTEM_PARAMETER_UNSUPPORTED":
      return "leave out the header \(info.text("parameter") ?? "that the message names")"
    case "RESOURCE_USAGE_RESTRICTION_VIOLATED":
      return policy("gcp.restrictServiceUsage", allow: service)
    case "ENDPOINT_USAGE_RESTRICTION_VIOLATED":
      return policy("gcp.restrictEndpointUsage", allow: "this endpoint")
    case "TLS_ORG_POLICY_VIOLATED":
      return policy("gcp.restrictTLSVersion", allow: "this version of TLS")
    case "TLS_CIPHER_RESTRICTION_VIOLATED":
      return policy(
        "gcp.restrictTLSCipherSuites",
        allow: info.text("checked_value") ?? "this cipher suite")
    case "LOCATION_ORG_POLICY_VIOLATED":
      return policy("gcp.resourceLocations", allow: info.text("location") ?? "this location")
    case "LOCATION_POLICY_VIOLATED", "LOCATION_TAX_POLICY_VIOLATED":
      return "create the resource in another location"
        + (info.text("location").map { " than \($0)" } ?? "")
    default:
      return nil
    }
  }

  /// The hint for a permission that the caller lacks; nil if the server does not name it.
  private func text(
    forPermissionIn info: ErrorInfo, of error: CallError, on project: String
  ) -> String? {
    guard hasToken, let permission = info.text("permission") else { return nil }
    if let neededToken { return neededToken }
    let permissionOnResource =
      "the permission \(permission)" + (info.text("resource").map { " on \($0)" } ?? "")
    guard let role = PredefinedRole.name(for: permission, ofAccessToken: hasAccessToken) else {
      return "ask for a role with \(permissionOnResource):"
        + " https://cloud.google.com/iam/docs/roles-permissions"
    }
    guard role == PredefinedRole.tokenCreator else {
      return
        "grant \(permissionOnResource): \(grant(role, on: project, to: caller(of: error)))"
    }
    let named = info.id(in: "resource", after: "serviceAccounts")
    let link = error.origin == .server ? nil : principals().link(to: named)
    if error.origin != .server, named == nil, link == nil,
      let action = (error.underlyingError as? TokenError)?.action
    {
      // Any of several accounts may lack the role on the next one.
      return action
    }
    let account = named ?? link?.account.plainWord ?? "ACCOUNT"
    let member = error.origin == .server ? caller(of: error) : link?.creator
    return
      "grant \(permissionOnResource): gcloud iam service-accounts add-iam-policy-binding \(account)"
      + " --member=\(Self.word(for: member)) --role=roles/\(role)"
  }

  /// The hint for a server that refuses to list log entries without saying why.
  func text(forLogsOf project: String, _ error: CallError) -> String {
    "grant the permission logging.logEntries.list on projects/\(project): "
      + grant("logging.viewer", on: project, to: caller(of: error))
  }

  /// The command that grants a role.
  private func grant(_ role: String, on project: String, to member: IAMMember?) -> String {
    "gcloud projects add-iam-policy-binding \(project) --member=\(Self.word(for: member))"
      + " --role=roles/\(role)"
  }

  private static func word(for member: IAMMember?) -> String {
    member?.description.plainWord ?? "PRINCIPAL"
  }

  /// Returns the member of IAM that called the server, or that requested the token; nil if it is unknown.
  private func caller(of error: CallError) -> IAMMember? {
    guard error.origin == .server else { return principals().requester }
    let issuer = sentToken()?.claims.text("iss") ?? ""
    return issuer.hasSuffix(".gserviceaccount.com")
      ? .serviceAccount(issuer) : principals().caller
  }

  /// Returns the caller if it is a service account; nil otherwise.
  private func serviceAccount(of error: CallError) -> String? {
    guard case .serviceAccount(let address) = caller(of: error) else { return nil }
    return address.plainWord
  }

  /// The project of the logs, or in the name of the resource.
  private var provider: String? {
    if case .logs(let project, _) = subject { return project.plainWord }
    return (try? ResourceName(subject.name))?.providerID.plainWord
  }
}

extension CallError {
  /// Whether the call counts for the project of gcloud, because its user credentials have no quota project.
  fileprivate func isWithoutQuotaProject(_ consumer: String?) -> Bool {
    // The projects of the OAuth clients of 'gcloud auth application-default login' and 'gcloud auth login'.
    ["764086051850", "32555940559"].contains(consumer)
      || ["quota project", "quota_project"].contains(where: message.mentions)
  }
}

// The server sends this text. Only plain words may become part of a command.
extension ErrorInfo {
  /// Whether the domain is "googleapis.com", one below it, or one with a path, as policies have.
  fileprivate var isOfGoogle: Bool {
    // Swift compares long runs of combining marks slowly. A reason has at most 63 characters.
    guard domain.utf8.count <= 128, reason.utf8.count <= 63 else { return false }
    let host = domain.prefix { $0 != "/" }
    return host == "googleapis.com" || host.hasSuffix(".googleapis.com")
  }

  /// Returns a value of the metadata for people; nil if there is none, or a long one.
  ///
  /// A part of a long one could be a part of a credential, which would not be masked.
  fileprivate func text(_ key: String) -> String? {
    guard let value = metadata[key], (1...valueLimit).contains(value.utf8.count) else { return nil }
    return escaped(value)
  }

  /// Returns a value of the metadata for a command; nil if a shell might not read it as one word.
  fileprivate func word(_ key: String) -> String? { metadata[key]?.plainWord }

  /// Returns the ID after a collection in the name of a resource: "123" of "projects/123".
  fileprivate func id(in key: String, after collection: String) -> String? {
    let parts = word(key)?.split(separator: "/") ?? []
    guard let index = parts.firstIndex(where: { $0 == collection }) else { return nil }
    return parts.dropFirst(index + 1).first.flatMap { String($0).plainWord }
  }

  /// "more than 600 of the quota GetTripPerMinute"
  fileprivate var moreQuota: String {
    guard let quota = text("quota_limit") ?? text("quota_metric") else { return "more quota" }
    return "more\(text("quota_limit_value").map { " than \($0)" } ?? "") of the quota \(quota)"
  }
}

/// The longest value of the metadata that is shown, in bytes.
private let valueLimit = 128

extension String {
  /// The text if a shell without quotes reads it as one argument that is not an option; nil otherwise.
  var plainWord: String? {
    guard (1...valueLimit).contains(utf8.count), !hasPrefix("-") else { return nil }
    let isPlain = allSatisfy {
      $0.isASCII && ($0.isLetter || $0.isNumber || "-_./@:".contains($0))
    }
    return isPlain ? self : nil
  }
}
