import Synchronization
import TestSupport
import Testing
import WireTLS

@testable import WireGRPCClient

/// A channel's second connection resumes the TLS session of its first.
@Suite(.timeLimit(.minutes(20))) struct SecureReconnectTests {
  @Test func resumesTheSession() async throws {
    let server = try await ScriptedServer.start(
      tls: TestCertificate.context(),
      requestScript { _, stream in
        [okResponse(stream), .frames(.goAway(last: UInt32(stream))), .close]
      })
    let resumed = Mutex<[Bool]>([])
    let channel = try Channel(
      target: server.target,
      configuration: ChannelConfiguration(
        security: .tls(TLSConfiguration(trust: .pem(TestCertificate.pem))),
        authority: "localhost",
        trace: { event in
          if case .tls(_, _, _, _, let isResumed) = event.step {
            resumed.withLock { $0.append(isResumed) }
          }
        }))
    for _ in 0..<3 { #expect(await channel.call().message == [7, 8]) }
    #expect(resumed.withLock { $0 } == [false, true, true])
    await channel.close()
    await server.stop()
  }

  @Test func verifiesTheConfiguredServerName() async throws {
    let server = try await ScriptedServer.start(
      tls: TestCertificate.context(), requestScript { _, stream in [okResponse(stream)] })
    var tls = TLSConfiguration(trust: .pem(TestCertificate.pem))
    tls.serverName = "localhost"
    let channel = try Channel(
      target: server.target,
      configuration: ChannelConfiguration(security: .tls(tls), authority: "fleet.example"))
    #expect(await channel.call().message == [7, 8])
    await channel.close()
    await server.stop()
  }
}
