import Tripwire
import WireProtobuf

/// What is checked of a JWT for Fleet Engine, without a network.
struct TokenChecks {
  let token: JSONWebToken
  let clock: WallClock
  /// Bare IDs of what the token is to be used for, by their claims: `tripid`.
  let wanted: [(claim: String, id: String)]
  /// Of the signature, and the key that is to have made it.
  let signature: [TokenCheck]

  /// Longer than this no token may last, in seconds.
  private static let longest = ServiceAccountKey.longestLifetime
  private static let skew = JSONWebToken.allowedSkew
  /// A token for an app must last so long when it is handed out.
  private static let shortest = 300.0

  var all: [TokenCheck] {
    [algorithm, type, keyID, issuer, audience] + times + authorization + signature
  }

  // MARK: Signature

  /// When there is no key to check it with.
  static let uncheckedSignature = TokenCheck.unchecked(
    "signature", "was not checked: anybody may have signed it",
    "name the key with --key FILE: PEM, or the JSON of the service account")

  static func signature(isOfKey: Bool) -> TokenCheck {
    isOfKey
      ? .ok("signature", "is of this key")
      : .failed("signature", "is not of this key", "sign it with the key that kid names")
  }

  /// With whether it names the key and its account: the server looks for the public key by these.
  static func signature(of token: JSONWebToken, by key: ServiceAccountKey) -> [TokenCheck] {
    var checks = [signature(isOfKey: key.hasSigned(token))]
    if let id = token.header.text("kid"), id != key.privateKeyID {
      checks.append(
        .failed(
          "kid", "is \(id), and this key is \(key.privateKeyID)",
          "set kid to the private_key_id of the key that signs"))
    }
    if let issuer = token.claims.text("iss"), issuer != key.clientEmail {
      checks.append(
        .failed(
          "iss", "is \(issuer), and this key is of \(key.clientEmail)",
          "set iss and sub to the e-mail address of the service account"))
    }
    return checks
  }

  // MARK: Header

  private var algorithm: TokenCheck {
    let cure = "sign it with RS256, with the private key of a service account"
    guard let algorithm = token.header.text("alg") else {
      return noText("alg", in: token.header, cure)
    }
    if token.signature.isEmpty { return .failed("alg", "nobody has signed it", cure) }
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
        "kid", "is empty: the server cannot tell which key it is signed with", cure)
    }
    return .ok("kid", id)
  }

  /// A member that is no string.
  private func noText(_ name: String, in object: Struct, _ cure: String) -> TokenCheck {
    .failed(name, object.has(name) ? "is not a string" : "is missing", cure)
  }

  // MARK: Claims

  private var issuer: TokenCheck {
    let cure = "set iss and sub to the e-mail address of the service account"
    guard let issuer = token.claims.text("iss") else {
      return noText("iss", in: token.claims, cure)
    }
    guard let subject = token.claims.text("sub") else {
      return noText("sub", in: token.claims, cure)
    }
    guard issuer == subject else {
      return .failed("sub", "is \(subject), and iss is \(issuer)", cure)
    }
    return issuer.contains("@")
      ? .ok("iss", issuer) : .failed("iss", "is \(issuer), which is no e-mail address", cure)
  }

  private var audience: TokenCheck {
    let right = ServiceAccountKey.audience
    let cure = "set aud to \(right)"
    guard let value = token.claims.fields["aud"] else { return .failed("aud", "is missing", cure) }
    guard case .stringValue(let audience)? = value.kind else {
      return .failed("aud", "is not a string", cure)
    }
    if audience == right { return .ok("aud", audience) }
    return audience + "/" == right
      ? .failed("aud", "lacks the slash at its end", cure)
      : .failed("aud", "is \(audience)", cure)
  }

  private var times: [TokenCheck] { lifetime + notBefore }

  /// Nobody has to say it (RFC 7519 §4.1.5), and Fleet Engine's guides do not.
  private var notBefore: [TokenCheck] {
    guard token.claims.has("nbf") else { return [] }
    let start = time("nbf")
    guard let time = start.time else { return [start.check].compactMap { $0 } }
    guard Double(clock.now) < time else { return [.ok("nbf", text(time))] }
    let cure = "leave nbf out, or set it to iat"
    return [
      Double(clock.now) < time - Self.skew
        ? .failed("nbf", "is \(text(time)): it is not good before", cure)
        : .warning("nbf", "is \(text(time)): it may not be good before", cure)
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
            "iat", "is \(text(time))", "set the clock of who signs it, or of this machine")
          : .ok("iat", text(time)))
    }
    guard let end = expires.time else { return checks }
    let span = issued.time.flatMap { wrongSpan(from: $0, to: end) }
    if let span { checks.append(span) }
    if now > end {
      checks.append(.failed("exp", text(end), "get a new one: it is expired"))
    } else if span != nil {
      return checks
    } else if end - now < Self.shortest {
      checks.append(
        .warning("exp", text(end), "get a new one: an app wants one that lasts 5 min at least"))
    } else {
      checks.append(.ok("exp", text(end)))
    }
    return checks
  }

  /// What is wrong with how long it lasts; nil if nothing.
  private func wrongSpan(from start: Double, to end: Double) -> TokenCheck? {
    if end - start > Self.longest {
      return .failed(
        "exp", "is \(Int64(end - start)) s after iat", "have it last 1 h at most: exp = iat + 3600")
    }
    return end > start ? nil : .failed("exp", "is not after iat", "set exp to iat + 3600")
  }

  /// A claim that is a time, or what is wrong with it.
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
    default: (nil, .failed(name, "is too much for a time", cure))
    }
  }

  private func text(_ time: Double) -> String { clock.text(Int64(time), withZone: true) }

  // MARK: What it is for

  private var authorization: [TokenCheck] {
    guard let value = token.claims.fields["authorization"] else {
      return (token.claims.text("scope") ?? "").isEmpty
        ? [
          .failed(
            "authorization", "is missing, and so are scopes",
            "add the claim authorization, such as {\"tripid\": \"t1\"}")
        ]
        : [
          .warning(
            "authorization", "is missing: its scopes have it do all that its account may do",
            "do not hand it to an app")
        ]
    }
    guard case .structValue(let object)? = value.kind, !object.fields.isEmpty else {
      return [
        .failed(
          "authorization", "is not an object with members",
          "set it to what it is for, such as {\"tripid\": \"t1\"}")
      ]
    }
    let wildcards = AuthorizationClaims.wildcards(in: object.fields)
    return object.members.map { check($0.name, $0.value, isForApps: !wildcards.contains($0.name)) }
      + wanted.map { check($0.claim, $0.id, object) }
  }

  /// One member of the claim.
  private func check(_ name: String, _ value: Value, isForApps: Bool) -> TokenCheck {
    if let (reason, cure) = AuthorizationClaims.problem(name, value) {
      let resource = value.ids.first { $0.contains("/") }
      return .failed(name, reason + (resource.map { ": \($0)" } ?? ""), cure)
    }
    guard AuthorizationClaims.known.contains(name) else {
      return .warning(
        name, "is nothing that Fleet Engine knows",
        "it knows " + AuthorizationClaims.known.joined(separator: ", "))
    }
    for id in value.ids {
      if let reason = Parse.problem(ofID: id, claim: name) {
        return .failed(name, reason, "set it to the ID of a \(name.dropLast(2)), or to * for all")
      }
      if id.first?.isWhitespace == true || id.last?.isWhitespace == true {
        return .warning(name, "has white space around it", "leave that out")
      }
    }
    if !isForApps {
      return .warning(name, "is *: it is good for every one", "do not hand it to an app")
    }
    return .ok(name, value.ids.joined(separator: ", "))
  }

  /// Whether it is good for what it is to be used for.
  private func check(_ name: String, _ id: String, _ object: Struct) -> TokenCheck {
    let ids = object.fields[name]?.ids ?? []
    let cure = "get one with the \(name) \(id)"
    if ids.contains(id) || ids.contains("*") { return .ok("for \(id)", "it has this \(name)") }
    return ids.isEmpty
      ? .failed("for \(id)", "it has no \(name)", cure)
      : .failed("for \(id)", "its \(name) is \(ids.joined(separator: ", "))", cure)
  }
}
