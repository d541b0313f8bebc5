import CommandLine
import CommandShell
import Tripwire

/// The content of a token without its signature, and the outcomes of its checks.
struct TokenReport {
  let token: JSONWebToken
  let checks: [TokenCheck]

  /// Whether no check failed; the signature may be unchecked.
  var hasNoFailedCheck: Bool { !checks.contains { $0.outcome == .failed } }

  /// Whether Fleet Engine accepts the token; nil if that depends on a check that was not made.
  private var isValid: Bool? {
    guard hasNoFailedCheck else { return false }
    return checks.contains { $0.outcome == .unchecked } ? nil : true
  }

  /// Returns the report as text: the content, then the failed checks with an action for each.
  func text(_ clock: WallClock) -> String {
    var table = TextTable()
    for (name, value) in token.header.members { table.add(escaped(name), value.words) }
    for (name, value) in token.claims.members {
      let isTime = ["iat", "exp", "nbf"].contains(name)
      let time = isTime ? token.claims.number(name).flatMap(Int64.init(exactly:)) : nil
      table.add(
        escaped(name),
        value.words + (time.map { "  " + clock.text($0, withZone: true) } ?? ""))
    }
    var lines: [String] = []
    for check in checks where check.outcome != .ok {
      lines.append("\(check.outcome.rawValue): \(escaped(check.text))")
      if let cure = check.cure { lines.append("  \(escaped(cure))") }
    }
    if let coverage = token.coverage { lines.append("the token is for " + escaped(coverage)) }
    lines.append(summary)
    return table.description + "\n" + lines.joined(separator: "\n") + "\n"
  }

  /// "8 checks passed: alg, typ, …; not checked: signature".
  private var summary: String {
    let done = checks.filter { $0.outcome != .unchecked }
    let count = Units.count(done.count, "check")
    let failed = done.filter { $0.outcome == .failed }
    guard failed.isEmpty else {
      return "\(count), \(failed.count) failed: \(Self.meaning(of: failed))"
    }
    let left = checks.filter { $0.outcome == .unchecked }.map(\.name)
    return "\(count) passed: "
      + escaped(
        done.map { check in check.id.map { "access to \($0)" } ?? check.name }
          .joined(separator: ", "))
      + (left.isEmpty ? "" : "; not checked: " + left.joined(separator: ", "))
  }

  /// Returns the meaning of failed checks. Those of an option do not make the token invalid.
  private static func meaning(of failed: [TokenCheck]) -> String {
    let ids = failed.compactMap(\.id)
    if ids.count == failed.count {
      return "the token is not for " + escaped(ids.joined(separator: ", "))
    }
    // The key of --key also has an ID and an account.
    let names = failed.map(\.name)
    return names.contains("signature") && names.allSatisfy(["signature", "kid", "iss"].contains)
      ? "the token was not signed with this key" : "Fleet Engine will reject the token"
  }

  /// The report for programs: one object on one line.
  var json: String {
    let json = JSONWriter.object { json in
      json.member("header", json: token.json.header)
      json.member("claims", json: token.json.claims)
      json.objects("checks", checks) { json, check in
        json.member("name", check.name)
        json.member("outcome", check.outcome.rawValue)
        json.member("message", check.message)
        json.member("cure", check.cure)
      }
      json.member("valid", json: isValid.map { "\($0)" } ?? "null")
    }
    return escapedJSON(json) + "\n"
  }
}

extension Value {
  /// A string unquoted, and any other value as JSON.
  var words: String { text ?? plainJSON }
}
