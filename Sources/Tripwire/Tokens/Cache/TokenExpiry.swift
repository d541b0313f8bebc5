package import WireProtobuf

/// How a JSON response states when a token expires. There is no standard: Google's own samples use
/// several of these forms.
public enum TokenExpiry: Sendable, Hashable {
  /// The response does not state it. If the token is a JWT, its `exp` applies.
  case unstated
  /// The member with this name is the expiration in seconds since 1970.
  case secondsSince1970(String)
  /// The member with this name is the expiration in milliseconds since 1970.
  case millisecondsSince1970(String)
  /// The member with this name is the lifetime in seconds.
  case secondsFromNow(String)
  /// The member with this name is the lifetime in milliseconds.
  case millisecondsFromNow(String)
  /// The member with this name is the expiration in RFC 3339, such as "2026-11-21T09:30:00Z".
  case rfc3339(String)
}

extension TokenExpiry {
  /// The smallest number that is read as milliseconds since 1970. As seconds, it would be in the year 5138.
  static let leastMilliseconds = 1e11

  /// Returns the expiration in seconds since 1970, or nil if it is not stated.
  ///
  /// - Throws: ``TokenError/invalidResponse(reason:)`` if the member is missing or not plausible:
  ///   times before 2001 or after 5138, and lifetimes of 1e9 or more.
  func expiration(in object: Struct, now: Double) throws(TokenError) -> Double? {
    func wrong(_ name: String, _ problem: String) -> TokenError {
      .invalidResponse(reason: "the field \(name) is \(problem)")
    }
    func time(_ name: String, isLifetime: Bool = false) throws(TokenError) -> Double {
      guard object.has(name) else { throw wrong(name, "missing") }
      // Some servers send it as a string.
      let number = object.number(name) ?? object.text(name).flatMap(Double.init)
      guard let time = number, time.isFinite else { throw wrong(name, "not a number") }
      if time < 0 { throw wrong(name, "negative") }
      if time > latest { throw wrong(name, "out of range") }
      if isLifetime, time >= 1e9 { throw wrong(name, "a time since 1970, expected a lifetime") }
      if !isLifetime, time < 1e9 { throw wrong(name, "a lifetime, expected a time since 1970") }
      return time
    }
    switch self {
    case .unstated:
      return nil
    case .secondsSince1970(let name):
      let moment = try time(name)
      if moment > Self.leastMilliseconds { throw wrong(name, "in milliseconds, expected seconds") }
      return moment
    case .millisecondsSince1970(let name):
      let moment = try time(name)
      if moment < Self.leastMilliseconds { throw wrong(name, "in seconds, expected milliseconds") }
      return moment / 1000
    case .secondsFromNow(let name):
      return now + (try time(name, isLifetime: true))
    case .millisecondsFromNow(let name):
      return now + (try time(name, isLifetime: true)) / 1000
    case .rfc3339(let name):
      guard let text = object.text(name),
        let moment = try? Timestamp(jsonString: Value(kind: .stringValue(text)).jsonString())
      else { throw wrong(name, "missing or not an RFC 3339 time") }
      return Double(moment.seconds) + Double(moment.nanos) / 1e9
    }
  }
}

/// The greatest plausible time in milliseconds: the year 5138.
private let latest = 1e14

extension AuthToken {
  /// Creates a token from a JSON object with the member `name` and the expiration that `expiry`
  /// names.
  ///
  /// - Throws: ``TokenError``, which does not contain the input.
  package init(
    json: [UInt8], token name: String, _ expiry: TokenExpiry, now: Double
  ) throws(TokenError) {
    try self.init(Struct(tokenJSON: json), token: name, expiry, now: now)
  }

  package init(
    _ object: Struct, token name: String, _ expiry: TokenExpiry, now: Double
  ) throws(TokenError) {
    guard let token = object.text(name) else {
      throw .invalidResponse(reason: "the field \(name) is missing or not a string")
    }
    try TokenError.check(token)
    self.init(token, expiration: try expiry.expiration(in: object, now: now))
  }
}

extension Struct {
  package init(tokenJSON json: [UInt8]) throws(TokenError) {
    guard let object = try? Struct(jsonUTF8Bytes: json) else {
      throw .invalidResponse(reason: "not a JSON object")
    }
    self = object
  }
}
