import TestSupport
import Testing
import Tripwire
import WireGRPCClient
import WireSystem

@testable import TripwireGoogleAuth

@Suite(.timeLimit(.minutes(20))) struct AccessTokensTests {
  /// A user's tokens from an endpoint.
  static func user(_ url: String) throws -> AccessTokens {
    let json = """
      {"type": "authorized_user", "client_id": "c", "client_secret": "hush-hush", "refresh_token": "1//hush-hush",
        "token_uri": "\(url)"}
      """
    return try AccessTokens(json: Array(json.utf8))
  }

  private static func answer(_ json: String) -> String {
    ScriptedHTTPServer.response("200 OK", json)
  }

  @Test func proxyIsForTheEndpointAndTheSigner() async throws {
    let proxy = try ScriptedHTTPServer { _ in "HTTP/1.1 407 Proxy Authentication Required\r\n\r\n" }
    defer { proxy.stop() }
    let endpoint = try ScriptedHTTPServer { _ in Self.answer(#"{"access_token": "a"}"#) }
    defer { endpoint.stop() }
    var tokens = try Self.user("https://oauth2.example/token")
    tokens.proxy = .url("http://127.0.0.1:\(proxy.port)")
    let error = await #expect(throws: CallError.self) { try await tokens.token(for: .any) }
    #expect(error?.code == .unavailable)
    #expect(error?.message.hasSuffix("the proxy answered with status 407") == true)

    // An endpoint on this machine has none.
    tokens = try Self.user("http://127.0.0.1:\(endpoint.port)/token")
    tokens.proxy = .url("http://127.0.0.1:\(proxy.port)")
    let signed = try SignJWTTokens(account: "a@b", accessTokens: tokens)
    await #expect(throws: CallError.self) { try await signed.token(for: .any) }
    #expect(
      proxy.requests.map { $0.prefix { $0 != "\r\n" } } == [
        "CONNECT oauth2.example:443 HTTP/1.1",
        "CONNECT iamcredentials.googleapis.com:443 HTTP/1.1",
      ])
    #expect(endpoint.requests.count == 1)
  }

  @Test func signerHasTheTrustOfTheAccessTokens() throws {
    var tokens = try Self.user("https://oauth2.example/token")
    tokens.trust = .file("/no/file")
    #expect(throws: CallError.self) { try SignJWTTokens(account: "a@b", accessTokens: tokens) }
    _ = try SignJWTTokens(
      account: "a@b", accessTokens: tokens,
      configuration: ChannelConfiguration(security: .plaintext))
  }

  @Test(arguments: [
    ("a b", [], "the account has no valid address"),
    ("a@b", ["a@b"], "an account is its own delegate"),
    ("a@b", ["c@d", "projects/-/serviceAccounts/c@d"], "an account is its own delegate"),
  ])
  func signersAreChecked(account: String, delegates: [String], problem: String) async throws {
    let signed = try SignJWTTokens(
      account: account, delegates: delegates,
      accessTokens: Self.user("https://oauth2.example/token"))
    let error = await #expect(throws: TokenError.self) { try await signed.token(for: .any) }
    #expect(error?.problem == "the credentials in the given JSON cannot sign tokens: \(problem)")
  }

  @Test func refusalHasNoSecret() async throws {
    let server = try ScriptedHTTPServer { _ in
      ScriptedHTTPServer.response(
        "403 Forbidden",
        #"""
        {"error": {"status": "PERMISSION_DENIED", "message": "for 1//hush-hush", "details": [{
          "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "R", "domain": "d",
          "metadata": {"permission": "p", "token": "1//hush-hush", "hush-hush": "x"}}]}}
        """#)
    }
    defer { server.stop() }
    let tokens = try Self.user("http://127.0.0.1:\(server.port)/token")
    let error = await #expect(throws: CallError.self) { try await tokens.token(for: .any) }
    #expect(error?.errorInfo?.metadata["permission"] == "p")
    #expect(error.map { "\($0) \($0.details)".contains("hush") } == false)
  }

  @Test func lifetimeOfAnImpersonatedAccountNeedsNoClock() async throws {
    let server = try ScriptedHTTPServer { head in
      head.hasPrefix("POST /token ")
        ? Self.answer(#"{"access_token": "source", "expires_in": 3599}"#)
        : Self.answer(#"{"accessToken": "a", "expireTime": "2001-01-01T00:00:00Z"}"#)
    }
    defer { server.stop() }
    let url = "http://127.0.0.1:\(server.port)"
    let json = """
      {"type": "impersonated_service_account",
        "service_account_impersonation_url": "\(url)/v1/projects/-/serviceAccounts/a@b:generateAccessToken",
        "source_credentials": {"type": "authorized_user", "client_id": "c", "client_secret": "s", "refresh_token": "r",
          "token_uri": "\(url)/token"}}
      """
    let start = WallTime.now
    let token = try await AccessTokens(json: Array(json.utf8)).token(for: .any)
    let lifetime = try #require(token.expiration) - start
    #expect(token.value == "a" && lifetime >= 3600 && lifetime < 3600 + (WallTime.now - start))
  }

  @Test func thousandCallersOfACacheGetOneToken() async throws {
    let server = try ScriptedHTTPServer { _ in
      Self.answer(#"{"access_token": "a", "expires_in": 3599}"#)
    }
    defer { server.stop() }
    let cache = TokenCache(try Self.user("http://127.0.0.1:\(server.port)/token"))
    let values = try await withThrowingTaskGroup { group in
      for _ in 0..<1000 { group.addTask { try await cache.token(for: .any).value } }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(values == ["a"] && server.requests.count == 1)
  }

  /// Without a cache, the number of threads, connections and programs is limited.
  @Test func sixteenRequestsRunAtTheSameTime() async throws {
    let crowd = Crowd()
    let tokens = AccessTokens(crowd)
    try await withThrowingTaskGroup { group in
      for _ in 0..<1000 { group.addTask { _ = try await tokens.token(for: .any) } }
      while crowd.count < 16 { await Task.yield() }
      // Time for others to come.
      for _ in 0..<1000 { await Task.yield() }
      #expect(crowd.count == 16)
      crowd.open()
      try await group.waitForAll()
    }
    #expect(crowd.count == 1000)
  }

  @Test func quotaProjectIsThatOfTheChangedFile() async throws {
    let server = try ScriptedHTTPServer { _ in Self.answer(#"{"access_token": "a"}"#) }
    defer { server.stop() }
    func content(_ project: String) -> [UInt8] {
      let json = """
        {"type": "authorized_user", "client_id": "c", "client_secret": "s", "refresh_token": "r",
          "quota_project_id": "\(project)", "token_uri": "http://127.0.0.1:\(server.port)/token"}
        """
      return Array(json.utf8)
    }
    try await withFile(content("old")) { path in
      let tokens = try AccessTokens(path: path)
      #expect(try await tokens.token(for: .any).quotaProjectID == "old")
      unlink(path)
      try appendToFile(path, content("changed"))
      #expect(try await tokens.token(for: .any).quotaProjectID == "changed")
    }
  }

  @Test func subjectTokenIsUTF8() async throws {
    try await withFile([0x61, 0xff]) { path in
      let json = """
        {"type": "external_account", "audience": "a", "subject_token_type": "t", "token_url": "http://127.0.0.1:1/",
          "credential_source": {"file": "\(path)"}}
        """
      let tokens = try AccessTokens(json: Array(json.utf8))
      let error = await #expect(throws: TokenError.self) { try await tokens.token(for: .any) }
      #expect(error?.description.hasSuffix("is not UTF-8: check credential_source") == true)
    }
  }

  @Test(arguments: ["p\r\nx-evil: 1", "p q", "ü", ""])
  func quotaProjectMayBeInAHeader(id: String) async {
    let crowd = Crowd()
    crowd.open()
    let cache = TokenCache(AccessTokens(crowd, quotaProjectID: id))
    let error = await #expect(throws: TokenError.self) { try await cache.token(for: .any) }
    #expect(error?.description == "the token has an invalid quota project ID")
  }
}

/// Credentials that give no token until they are opened.
private final class Crowd: GoogleCredentials {
  let name = "a crowd"
  private let state = Locked((count: 0, isOpen: false))

  /// The number of requests so far.
  var count: Int { state.withLock { $0.count } }

  func open() { state.withLock { $0.isOpen = true } }

  func accessToken(scope: String, _ client: HTTPClient) async throws -> AuthToken {
    state.withLock { $0.count += 1 }
    while !state.withLock({ $0.isOpen }) { await Task.yield() }
    return "a"
  }
}
