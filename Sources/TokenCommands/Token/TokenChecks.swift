import CommandLine
import CommandResources
import CommandShell
import Tripwire

/// The checks of a JWT for Fleet Engine. They need no network.
struct TokenChecks {
  let token: JSONWebToken
  let clock: WallClock
  /// The IDs that the token must be valid for, and their claims, such as `tripid`.
  let wanted: [(claim: String, id: String)]
  /// The checks of the signature and of its key.
  let signature: [TokenCheck]

  /// The longest allowed lifetime in seconds.
  private static let longest = ServiceAccountKey.longestLifetime
  private static let skew = JSONWebToken.allowedSkew
  /// The shortest useful rest of the lifetime for an app, in seconds.
  private static let shortest = 300.0

  var all: [TokenCheck] {
    [algorithm, type, keyID, issuer, audience] + times + authorization + signature
  }

  // MARK: Signature

  /// The outcome without a key.
  static let uncheckedSignature = TokenCheck(
    name: "signature", outcome: .unchecked,
    message: "was not verified: anyone may have signed the token",
    cure: "pass the key with --key FILE: PEM, or the JSON of the service account")

  static func signature(isOfKey: Bool) -> TokenCheck {
    isOfKey
      ? .ok("signature", "matches this key")
      : .failed(
        "signature", "does not match this key",
        "pass the key of the signer with --key, or sign the token with the key that you passed")
  }

  /// Checks the signature, and whether the token names the key and its account, by which the server finds
  /// the public key.
  static func signature(of token: JSONWebToken, by key: ServiceAccountKey) -> [TokenCheck] {
    var checks = [signature(isOfKey: key.hasSigned(token))]
    if let id = token.header.text("kid"), id != key.privateKeyID {
      checks.append(
        .failed(
          "kid", "is \(id), but this key is \(key.privateKeyID)",
          "set kid to the private_key_id of the key that signs"))
    }
    if let issuer = token.claims.text("iss"), issuer != key.clientEmail {
      checks.append(
        .failed(
          "iss", "is \(issuer), but this key belongs to \(key.clientEmail)",
          "set iss and sub to the email address of the service account"))
    }
    return checks
  }

  // MARK: Header

  private var algorithm: TokenCheck {
    let cure = "sign the token with RS256 and the private key of a service account"
    guard let algorithm = token.header.text("alg") else {
      return noText("alg", in: token.header, cure)
    }
    if token.signature.isEmpty {
      return .failed(
        "alg",
        algorithm == "none"
          ? "is none: the token is unsigned" : "is \(algorithm), but the token has no signature",
        cure)
    }
    return algorithm == "RS256"
      ? .ok("alg", "RS256") : .failed("alg", "is \(algorithm), not RS256", cure)
  }

  private var type: TokenCheck {
    token.header.text("typ") == "JWT"
      ? .ok("typ", "JWT") : .warning("typ", "is not JWT", "set typ to JWT in the header")
  }

  private var keyID: TokenCheck {
    let cure = "set kid to the private_key_id of the key that signs"
    guard let id = token.header.text("kid") else { return noText("kid", in: token.header, cure) }
    guard !id.isEmpty else {
      return .failed(
        "kid", "is empty: the server cannot select the key", cure)
    }
    return .ok("kid", id)
  }

  /// Returns the failed check of a member that is missing or not a string.
  private func noText(_ name: String, in object: Struct, _ cure: String) -> TokenCheck {
    .failed(name, object.has(name) ? "is not a string" : "is missing", cure)
  }

  // MARK: Claims

  private var issuer: TokenCheck {
    let cure = "set iss and sub to the email address of the service account"
    guard let issuer = token.claims.text("iss") else {
      return noText("iss", in: token.claims, cure)
    }
    guard let subject = token.claims.text("sub") else {
      return noText("sub", in: token.claims, cure)
    }
    guard issuer == subject else {
      return .failed("sub", "is \(subject), but iss is \(issuer)", cure)
    }
    return issuer.contains("@")
      ? .ok("iss", issuer) : .failed("iss", "is \(issuer), which is not an email address", cure)
  }

  private var audience: TokenCheck {
    let right = ServiceAccountKey.audience
    let cure = "set aud to \(right)"
    guard let value = token.claims.fields["aud"] else {
      // Google's clients sign such tokens with a key, for calls of a back end (AIP-4111).
      return hasScope
        ? .ok("aud", "not set, because the token has a scope") : .failed("aud", "is missing", cure)
    }
    guard let audience = value.text else { return .failed("aud", "is not a string", cure) }
    if audience == right { return .ok("aud", audience) }
    return audience + "/" == right
      ? .failed("aud", "lacks the trailing slash", cure)
      : .failed("aud", "is \(audience)", cure)
  }

  private var times: [TokenCheck] { lifetime + notBefore }

  /// The claim is optional (RFC 7519 §4.1.5), and Fleet Engine's guides do not mention it.
  private var notBefore: [TokenCheck] {
    guard token.claims.has("nbf") else { return [] }
    let start = time("nbf")
    guard let time = start.time else { return [start.check].compactMap { $0 } }
    guard Double(clock.now) < time else { return [.ok("nbf", text(time))] }
    let cure = "remove nbf or set it to iat"
    return [
      Double(clock.now) < time - Self.skew
        ? .failed("nbf", "is \(text(time)): the token is not valid yet", cure)
        : .warning("nbf", "is \(text(time)): the token may not be valid yet", cure)
    ]
  }

  private var lifetime: [TokenCheck] {
    let issued = time("iat")
    let expires = time("exp")
    var checks = [issued.check, expires.check].compactMap { $0 }
    let now = Double(clock.now)
    if let time = issued.time {
      checks.append(
        now < time - Self.skew
          ? .failed(
            "iat", "is in the future: \(text(time))",
            "correct the clock of the signer or of this machine")
          : .ok("iat", text(time)))
    }
    guard let end = expires.time else { return checks }
    let span = issued.time.flatMap { wrongSpan(from: $0, to: end) }
    if let span { checks.append(span) }
    if now > end {
      checks.append(.failed("exp", "has passed: \(text(end))", "get a new token"))
    } else if span != nil {
      return checks
    } else if end - now < Self.shortest {
      checks.append(
        .warning(
          "exp", "is less than 5 min from now: \(text(end))",
          "get a token that lasts at least 5 min"))
    } else {
      checks.append(.ok("exp", text(end)))
    }
    return checks
  }

  /// Returns the failed check of an invalid lifetime; nil if it is valid.
  private func wrongSpan(from start: Double, to end: Double) -> TokenCheck? {
    if end - start > Self.longest {
      return .failed(
        "exp", "is \(Int64((end - start).rounded(.up))) s after iat",
        "set exp to at most iat + 3600")
    }
    return end > start ? nil : .failed("exp", "is not after iat", "set exp to iat + 3600")
  }

  /// Returns the time in a claim, or the failed check.
  private func time(_ name: String) -> (time: Double?, check: TokenCheck?) {
    let cure = "set \(name) to a number of seconds since 1970"
    guard token.claims.fields[name] != nil else {
      return (nil, .failed(name, "is missing", cure))
    }
    guard let time = token.claims.number(name) else {
      return (nil, .failed(name, "is not a number", cure))
    }
    return switch time {
    case ..<0: (nil, .failed(name, "is negative", cure))
    case ..<1e11: (time, nil)
    case ..<1e14: (nil, .failed(name, "is in milliseconds", cure))
    default: (nil, .failed(name, "is out of range", cure))
    }
  }

  private func text(_ time: Double) -> String { clock.text(Int64(time), withZone: true) }

  // MARK: Authorization

  private var hasScope: Bool { token.claims.text("scope")?.isEmpty == false }

  private var authorization: [TokenCheck] {
    guard let value = token.claims.fields["authorization"] else {
      return [
        .warning(
          "authorization",
          "is missing: this is a back end's token, which grants what the roles of its account allow",
          "do not give it to an app; for an app, add the claim, such as {\"tripid\": \"t1\"}")
      ]
    }
    guard let object = value.structValue, !object.fields.isEmpty else {
      return [
        .failed(
          "authorization", "is not a JSON object with claims",
          "set it to an object such as {\"tripid\": \"t1\"}")
      ]
    }
    let wildcards = AuthorizationClaims.wildcards(in: object.fields)
    return object.members.map { check($0.name, $0.value, isForApps: !wildcards.contains($0.name)) }
      + wanted.map { check($0.claim, $0.id, object) }
  }

  /// Checks one member of the claim.
  private func check(_ name: String, _ value: Value, isForApps: Bool) -> TokenCheck {
    if let (reason, cure) = AuthorizationClaims.problem(name, value) {
      let resource = value.ids.first { $0.contains("/") }
      return .failed(name, reason + (resource.map { ": \($0)" } ?? ""), cure)
    }
    guard AuthorizationClaims.known.contains(name) else {
      return .warning(
        name, "is not a claim of Fleet Engine",
        "use one of " + AuthorizationClaims.known.joined(separator: ", "))
    }
    for id in value.ids {
      if let reason = Parse.problem(ofID: id, claim: name) {
        return .failed(
          name, "is \(reason)",
          "set it to the ID of a \(ResourceKind(claim: name)?.noun ?? name), or to * for all")
      }
      if id.first?.isWhitespace == true || id.last?.isWhitespace == true {
        return .warning(name, "has leading or trailing white space", "remove the white space")
      }
    }
    if !isForApps {
      let resources = ResourceKind(claim: name)?.plural ?? name
      return .warning(
        name, "is *, which grants access to all \(resources)", "do not give it to an app")
    }
    return .ok(name, value.ids.joined(separator: ", "))
  }

  /// Checks whether the token is valid for a wanted ID.
  private func check(_ name: String, _ id: String, _ object: Struct) -> TokenCheck {
    let ids = object.fields[name]?.ids ?? []
    let all = wanted.filter { $0.claim == name }.map(\.id).joined(separator: ",")
    let cure = "get a token with the \(name) \(all)"
    var check: TokenCheck =
      if ids.contains(id) {
        .ok("for \(id)", "\(name) contains \(id)")
      } else if ids.contains("*") {
        .ok("for \(id)", "\(name) is *, which includes \(id)")
      } else if ids.isEmpty {
        .failed("for \(id)", "\(name) is missing, expected \(id.quotedAsJSON)", cure)
      } else {
        .failed(
          "for \(id)",
          "\(name) is \(ids.map(\.quotedAsJSON).joined(separator: ", ")), expected \(id.quotedAsJSON)",
          cure)
      }
    check.id = id
    return check
  }
}
