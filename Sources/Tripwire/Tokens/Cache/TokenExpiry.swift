package import WireProtobuf

/// How JSON says when a token expires. There is nothing to go by but what whoever writes it says:
/// Google's own samples have it in several of these ways.
public enum TokenExpiry: Sendable, Hashable {
  /// It does not: what the token says itself counts, if it is a JWT.
  case unstated
  /// A number of seconds since 1970, in the member of this name.
  case secondsSince1970(String)
  /// A number of milliseconds since 1970.
  case millisecondsSince1970(String)
  /// A number of seconds from now.
  case secondsFromNow(String)
  /// A number of milliseconds from now.
  case millisecondsFromNow(String)
  /// A date and time as in RFC 3339, "2026-11-21T09:30:00Z".
  case rfc3339(String)
}

extension TokenExpiry {
  /// - Throws: ``TokenError/badAnswer(reason:)`` when the member is missing, or can only mean something
  ///   else: no token ever expired before 2001, or will after 5138, and none lasts for 11 days, which in
  ///   milliseconds is as much as a time in seconds.
  package func expiration(in object: Struct, now: Double) throws(TokenError) -> Double? {
    func number(_ name: String) throws(TokenError) -> Double {
      guard let number = object.number(name), number.isFinite else {
        throw .badAnswer(reason: "has no number \(name)")
      }
      return number
    }
    func wrong(_ name: String, _ is: String, _ said: String) -> TokenError {
      .badAnswer(reason: "has an invalid \(name): it is \(`is`), not \(said)")
    }
    func duration(_ name: String) throws(TokenError) -> Double {
      let time = try number(name)
      if time < 0 { throw wrong(name, "negative", "from now") }
      if time > latest { throw wrong(name, "out of range", "from now") }
      if time >= 1e9 { throw wrong(name, "since 1970", "from now") }
      return time
    }
    func moment(_ name: String) throws(TokenError) -> Double {
      let time = try number(name)
      if time < 0 { throw wrong(name, "negative", "since 1970") }
      if time > latest { throw wrong(name, "out of range", "since 1970") }
      if time < 1e9 { throw wrong(name, "from now", "since 1970") }
      return time
    }
    switch self {
    case .unstated:
      return nil
    case .secondsSince1970(let name):
      let time = try moment(name)
      if time > 1e11 { throw wrong(name, "in milliseconds", "in seconds") }
      return time
    case .millisecondsSince1970(let name):
      let time = try moment(name)
      if time < 1e11 { throw wrong(name, "in seconds", "in milliseconds") }
      return time / 1000
    case .secondsFromNow(let name):
      return now + (try duration(name))
    case .millisecondsFromNow(let name):
      return now + (try duration(name)) / 1000
    case .rfc3339(let name):
      guard let text = object.text(name),
        let time = try? Timestamp(jsonString: Value(kind: .stringValue(text)).jsonString())
      else { throw .badAnswer(reason: "has no RFC 3339 time \(name)") }
      return Double(time.seconds) + Double(time.nanos) / 1e9
    }
  }
}

/// Past this no number is a time, in milliseconds either: the year 5138.
private let latest = 1e14

extension AuthToken {
  /// From a JSON object: the member `name`, and what `expiry` names.
  ///
  /// - Throws: ``TokenError``, which does not show what is there.
  package init(
    json: [UInt8], token name: String, _ expiry: TokenExpiry, now: Double
  ) throws(TokenError) {
    try self.init(Struct(tokenJSON: json), token: name, expiry, now: now)
  }

  init(
    _ object: Struct, token name: String, _ expiry: TokenExpiry, now: Double
  ) throws(TokenError) {
    guard let token = object.text(name) else {
      throw .badAnswer(reason: "has no string \(name)")
    }
    try TokenError.check(token)
    self.init(token, expiration: try expiry.expiration(in: object, now: now))
  }
}

extension Struct {
  init(tokenJSON json: [UInt8]) throws(TokenError) {
    guard let object = try? Struct(jsonUTF8Bytes: json) else {
      throw .badAnswer(reason: "is not a JSON object")
    }
    self = object
  }
}
