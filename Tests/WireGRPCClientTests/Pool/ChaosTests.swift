import TestSupport
import Testing
import WireHTTP2
import WireSystem

@testable import WireGRPC
@testable import WireGRPCClient

/// Servers and callers that behave randomly: every call ends once and in time, and nothing leaks.
///
/// A failing test prints its seed; `CHAOS_SEED=7 swift test --filter ChaosTests` repeats that seed
/// only.
@Suite(.timeLimit(.minutes(20))) struct ChaosTests {
  private static let seeds: [UInt64] =
    unsafe getenv("CHAOS_SEED").flatMap { unsafe UInt64(String(cString: $0)) }.map { [$0] }
    ?? Array(1...40)

  /// Each caller and each connection has its own dice. Their values depend on the seed, not on the
  /// order in which tasks run.
  private final class Dice: Sendable {
    private let seed: UInt64
    private let generator: Locked<SplitMix>

    init(_ seed: UInt64) {
      self.seed = seed
      generator = Locked(SplitMix(state: seed))
    }

    func roll(_ range: Range<Int>) -> Int {
      generator.withLock { Int.random(in: range, using: &$0) }
    }

    func dice(of part: String, _ index: Int = 0) -> Dice {
      var generator = SplitMix(state: seed)
      for byte in "\(part) \(index)".utf8 {
        generator = SplitMix(state: generator.next() ^ UInt64(byte))
      }
      return Dice(generator.next())
    }
  }

  private static func script(_ dice: Dice) -> ScriptedServer.Script {
    let connections = Locked<[Int: Dice]>([:])
    return { connection, event in
      let dice = connections.withLock {
        let own = $0[connection] ?? dice.dice(of: "connection", connection)
        $0[connection] = own
        return own
      }
      switch event {
      case .accepted:
        switch dice.roll(0..<12) {
        case 0: return [.close]
        case 1: return [.reset]
        case 2: return [.frames(.settings((3, 1)))]
        case 3: return [.frames(.settings((3, 0)), .settings((3, 2)))]
        case 4: return [.frames(.settings(), .goAway(last: 0))]
        case 5: return [.frames(.settings()), .close]
        case 6: return [.frames(.settings((4, 1)))]
        default: return [.frames(.settings((3, UInt32(dice.roll(1..<20)))))]
        }
      case .frame(let frame) where frame.kind == .settings && !frame.has(.acknowledge):
        return [.frames(.settingsAcknowledgement)]
      case .frame(let frame) where frame.kind == .ping && !frame.has(.acknowledge):
        return dice.roll(0..<2) == 0 ? [] : [.frames(.ping(0, acknowledge: true))]
      case .frame(let frame) where frame.kind == .data || frame.kind == .headers:
        let stream = Int(frame.stream)
        let codes: [HTTP2ErrorCode] = [
          .refusedStream, .cancel, .noError, .internalError, .enhanceYourCalm,
        ]
        switch dice.roll(0..<24) {
        case 0: return [.frames(.reset(stream, codes[dice.roll(0..<codes.count)]))]
        case 1: return [.frames(.goAway(last: UInt32(dice.roll(0..<(stream + 1)))))]
        case 2:
          return [.frames(.goAway(last: 0x7fff_ffff)), okResponse(stream)]
        case 3: return [.close]
        case 4: return [.reset]
        case 5, 6:
          return [
            .frames(
              .headers(
                stream,
                fields([
                  ":status": "200", "content-type": "application/grpc", "grpc-status": "14",
                ]), endStream: true))
          ]
        case 7: return [.frames(.headers(stream, okHeaders))]
        case 8: return [.frames(.headers(stream, okHeaders), .data(stream, framed([1])))]
        case 9: return [.frames(.headers(stream, fields([":status": "503"]), endStream: true))]
        case 10: return [.frames(.settings((3, UInt32(dice.roll(0..<4)))), .settings((3, 5)))]
        case 11: return []
        case 12:
          return [
            .frames(.goAway(last: UInt32(stream), .enhanceYourCalm, debug: "too_many_pings"))
          ]
        case 13: return [.frames(.windowUpdate(stream, 100), .windowUpdate(0, 100))]
        default: return frame.has(.endStream) ? [okResponse(stream)] : []
        }
      case .frame: return []
      }
    }
  }

  private static let policy = RetryPolicy(
    maxAttempts: 4, initialBackoff: .milliseconds(1), maxBackoff: .milliseconds(4),
    backoffMultiplier: 2, retryableStatusCodes: [.unavailable])

  private struct SlowInterceptor: ClientInterceptor {
    let dice: Dice
    func start(_ call: inout StartingCall) async throws {
      switch dice.roll(0..<10) {
      case 0: try? await Task.sleep(for: .seconds(100))
      case 1: throw CancellationError()
      case 2: throw CallError(code: .unavailable, message: "odd", origin: .local)
      case 3: try await Task.sleep(for: .milliseconds(dice.roll(0..<4)))
      default: break
      }
    }
  }

  private static func makeCall(_ channel: Channel, _ dice: Dice) async {
    let milliseconds = dice.roll(1..<60)
    let waitForReady = dice.roll(0..<2) == 0
    let interceptors =
      dice.roll(0..<8) == 0 ? [SlowInterceptor(dice: dice.dice(of: "interceptor"))] : []
    let change = { @Sendable (options: inout CallOptions) in
      options.timeout = .milliseconds(milliseconds)
      options.retryPolicy = policy
      options.waitForReady = waitForReady
      options.interceptors = interceptors
    }
    switch dice.roll(0..<4) {
    case 0, 1: _ = await channel.call([UInt8](repeating: 1, count: dice.roll(0..<40_000)), change)
    case 2:
      let call = channel.open(.serverStreaming, [1], change)
      if dice.roll(0..<4) == 0 { return }
      if dice.roll(0..<2) == 0 { _ = try? await call.headers }
      _ = await call.rest()
    default:
      let call = channel.open(.bidirectional, nil, change)
      let sending = Task {
        let dice = dice.dice(of: "sender")
        for _ in 0..<dice.roll(0..<20) {
          guard await call.sendError([UInt8](repeating: 2, count: dice.roll(0..<20_000))) == nil
          else { return }
        }
        if dice.roll(0..<2) == 0 { call.finish() }
      }
      if dice.roll(0..<4) == 0 { call.cancel() }
      _ = await call.rest()
      if dice.roll(0..<2) == 0 { sending.cancel() }
      await sending.value
    }
  }

  @Test(arguments: seeds)
  func everyCallEnds(seed: UInt64) async throws {
    let dice = Dice(seed)
    let server = try await ScriptedServer.start(Self.script(dice))
    weak var released: Channel?
    do {
      let channel = try Channel(to: server) {
        $0.maxConnections = dice.roll(1..<4)
        $0.failFast = dice.roll(0..<2) == 0
        $0.idleTimeout = .milliseconds(dice.roll(0..<10))
        $0.connectTimeout = .milliseconds(dice.roll(1..<200))
        if dice.roll(0..<2) == 0 {
          $0.shortestKeepalive = .milliseconds(1)
          $0.keepalive = Keepalive(
            time: .milliseconds(dice.roll(1..<10)), timeout: .milliseconds(dice.roll(1..<20)),
            withoutCalls: dice.roll(0..<2) == 0)
        }
      }
      released = channel
      await withTaskGroup { group in
        for caller in 0..<8 {
          group.addTask {
            let dice = dice.dice(of: "caller", caller)
            for number in 0..<25 {
              let task = Task(executorPreference: dice.roll(0..<3) == 0 ? channel.executor : nil) {
                await Self.makeCall(channel, dice.dice(of: "call", number))
              }
              if dice.roll(0..<4) == 0 {
                try? await Task.sleep(for: .microseconds(dice.roll(0..<20_000)))
                task.cancel()
              }
              await task.value
            }
          }
        }
        if dice.roll(0..<3) == 0 {
          group.addTask {
            let dice = dice.dice(of: "close")
            try? await Task.sleep(for: .milliseconds(dice.roll(0..<300)))
            await channel.close(grace: .milliseconds(dice.roll(0..<20)))
          }
        }
      }
    }
    // The time limit ends this test if the channel is never released.
    while released != nil { try await Task.sleep(for: .milliseconds(10)) }
    await server.stop()
  }
}
