import Testing

@testable import CommandShell

@Suite struct DefaultAccessTokensTests {
  private func obstacle(
    _ endpoint: String, authority: String? = nil, _ change: (inout TLSOptions) -> Void = { _ in }
  ) -> String? {
    var tls = TLSOptions()
    change(&tls)
    let tokens = DefaultAccessTokens(
      endpoint: endpoint, isRecording: false, tls: tls, authority: authority)
    return tokens.obstacle
  }

  @Test(arguments: [
    "fleetengine.googleapis.com:443", "fleetengine.googleapis.com",
    "FleetEngine.GoogleAPIs.com:443",
    "dns:///fleetengine.googleapis.com:443", "fleetengine.mtls.googleapis.com:443",
  ])
  func serversOfGoogleGetAToken(endpoint: String) {
    #expect(obstacle(endpoint) == nil)
    #expect(obstacle(endpoint, authority: "fleetengine.googleapis.com") == nil)
    #expect(obstacle(endpoint) { $0.isPlaintext = true } == "the connection has no TLS")
    #expect(
      obstacle(endpoint) { $0.skipsVerification = true }
        == "the certificate of the server is not verified")
    #expect(
      obstacle(endpoint, authority: "a") == "--authority names another server, a")
  }

  @Test(arguments: [
    "fleetengine.googleapis.com.evil.example:443", "fleetengine.evilgoogleapis.com:443",
    "localhost:443", "unix:/fleetengine.googleapis.com",
    "ipv4:127.0.0.1:443", "googleapis.com:443", "",
  ])
  func otherServersGetNone(endpoint: String) {
    #expect(
      obstacle(endpoint) == "the server is \(endpoint), not one of googleapis.com")
  }
}
