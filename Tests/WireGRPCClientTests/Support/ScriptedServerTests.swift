import TestSupport
import Testing

/// A test that hangs must fail by its time limit, which cancels it.
@Suite(.timeLimit(.minutes(20))) struct ScriptedServerTests {
  @Test func waitsEndWhenTheTestIsCanceled() async throws {
    let server = try await ScriptedServer.start { _, _ in [] }
    for _ in 0..<100 {
      let waits = [
        Task { _ = await server.frame(.data) }, Task { await server.end(of: 0) },
      ]
      // Lets the cancellation come before the wait or during it.
      _ = await server.connections
      for wait in waits {
        wait.cancel()
        await wait.value
      }
    }
    await server.stop()
  }
}
