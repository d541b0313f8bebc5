package import WireProtobuf
import WireSystem

/// An engine whose vehicles move with the time. May be used on any thread.
package final class EmulatedFleet: Sendable {
  private struct State {
    var engine: FleetEngine
    var traffic: DemoTraffic?
  }

  private let clock: @Sendable () -> Timestamp
  private let tokens: TokenPolicy
  private let state: Locked<State>

  /// - Parameters:
  ///   - clock: returns the present time.
  ///   - tokens: the calls that are accepted.
  ///   - demo: the vehicles that move by themselves; nil for none.
  package init(
    clock: @escaping @Sendable () -> Timestamp, tokens: TokenPolicy = .open,
    demo: DemoTraffic.Options? = nil
  ) {
    self.clock = clock
    self.tokens = tokens
    var engine = FleetEngine()
    let traffic = demo.map { DemoTraffic($0, at: clock(), &engine) }
    state = Locked(State(engine: engine, traffic: traffic))
  }

  /// Executes a call at the present time; see ``FleetEngine/call(_:_:at:authorize:)``.
  ///
  /// - Parameter token: the bearer token; nil for none.
  package func call(
    _ path: String, _ request: [UInt8], token: String?
  ) throws(EngineError) -> [UInt8] {
    let result = state.withLock { state -> Result<[UInt8], EngineError> in
      let now = clock()
      // Vehicles have moved since the last call.
      state.traffic?.advance(to: now, &state.engine)
      do throws(EngineError) {
        return .success(
          try state.engine.call(path, request, at: now) { claim throws(EngineError) in
            try tokens.check(token, for: claim, at: now)
          })
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}
