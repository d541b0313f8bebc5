import TestSupport
import Testing

/// A test that hangs is to fail by its time limit, which cancels it.
@Suite(.timeLimit(.minutes(20))) struct ScriptedServerTests {
  @Test func waitsEndWithTheTest() async throws {
    let server = try await ScriptedServer.start { _, _ in [] }
    for _ in 0..<100 {
      let waits = [
        Task { _ = await server.frame(.data) }, Task { await server.end(of: 0) },
      ]
      // Comes before the wait or while it lasts.
      _ = await server.connections
      for wait in waits {
        wait.cancel()
        await wait.value
      }
    }
    await server.stop()
  }
}
