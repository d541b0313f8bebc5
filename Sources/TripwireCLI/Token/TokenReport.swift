import Tripwire
import WireProtobuf

/// What there is to say about a token. Never its signature.
struct TokenReport {
  let token: JSONWebToken
  let checks: [TokenCheck]

  /// Whether Fleet Engine would take it.
  var isGood: Bool { !checks.contains { $0.outcome == .failed } }

  /// For people: what it says, then what is wrong with it and what to do.
  func text(_ clock: WallClock) -> String {
    var table = TextTable()
    for (name, value) in token.header.members {
      table.add(escaped(name), Self.words(value))
    }
    for (name, value) in token.claims.members {
      let isTime = ["iat", "exp", "nbf"].contains(name)
      let time = isTime ? token.claims.number(name).flatMap(Int64.init(exactly:)) : nil
      table.add(
        escaped(name), Self.words(value) + (time.map { "  \(clock.text($0))" } ?? ""))
    }
    var lines: [String] = []
    for check in checks where check.outcome != .ok {
      lines.append("\(check.outcome.rawValue): \(escaped("\(check.name) \(check.message)"))")
      if let cure = check.cure { lines.append("  \(escaped(cure))") }
    }
    let failed = checks.filter { $0.outcome == .failed }.count
    lines.append(
      failed == 0
        ? "\(checks.count) checks, none failed"
        : "\(checks.count) checks, \(failed) failed: Fleet Engine would refuse it")
    return table.description + "\n" + lines.joined(separator: "\n") + "\n"
  }

  /// A string as it is, all else as JSON.
  private static func words(_ value: Value) -> String {
    if case .stringValue(let text)? = value.kind { text } else { json(value) }
  }

  /// With whole numbers as such: times are.
  private static func json(_ value: Value) -> String {
    switch value.kind {
    case .numberValue(let number)?: Int64(exactly: number).map { "\($0)" } ?? "\(number)"
    case .stringValue(let text)?: quoted(text)
    case .structValue(let object)?: json(object)
    case .listValue(let list)?: "[" + list.values.map(json).joined(separator: ",") + "]"
    case .boolValue, .nullValue, nil: (try? value.jsonString()) ?? "null"
    }
  }

  private static func json(_ object: Struct) -> String {
    let members = object.members.map { quoted($0.name) + ":" + json($0.value) }
    return "{" + members.joined(separator: ",") + "}"
  }

  /// For programs: one object on one line.
  var json: String {
    let checks = checks.map { check in
      "{\"name\":\(quoted(check.name)),\"outcome\":\"\(check.outcome.rawValue)\","
        + "\"message\":\(quoted(check.message))"
        + (check.cure.map { ",\"cure\":\(quoted($0))" } ?? "") + "}"
    }
    return "{\"header\":\(token.json.header),\"claims\":\(token.json.claims),"
      + "\"checks\":[\(checks.joined(separator: ","))],\"valid\":\(isGood)}\n"
  }
}
