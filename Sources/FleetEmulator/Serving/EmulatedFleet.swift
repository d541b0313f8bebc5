import FleetEngineAPI
package import WireGRPCServer
package import WireProtobuf
import WireSystem

/// An engine whose vehicles move with the time, and whose calls may have faults. May be used on any thread.
package final class EmulatedFleet: Sendable {
  private struct State {
    var engine: FleetEngine
    var traffic: DemoTraffic?
    var faults = Faults()
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

  /// Executes a call at the present time, unless a fault prevents it.
  ///
  /// - Parameters:
  ///   - path: that of the method, such as `/maps.fleetengine.v1.TripService/GetTrip`.
  ///   - request: in binary form.
  ///   - token: the bearer token; nil for none.
  package func answer(
    _ path: String, _ request: [UInt8], token: String?
  ) -> (UnaryAnswer, delay: Duration) {
    change { engine, faults, now in
      let (delay, end) = faults.effects(of: path, request, at: now)
      switch end {
      case .failure(let error): return (.failure(error.status), delay)
      case .silence: return (.silence, delay)
      case .disconnect: return (.disconnect, delay)
      case .latency, nil: break
      }
      do throws(EngineError) {
        let response = try engine.call(path, request, at: now) { claim throws(EngineError) in
          try tokens.check(token, for: claim, at: now)
        }
        return (.response(response), delay)
      } catch {
        return (.failure(error.status), delay)
      }
    }
  }

  /// Changes the fleet at the present time.
  func change<Result>(
    _ body: (inout FleetEngine, inout Faults, Timestamp) -> sending Result
  ) -> Result {
    state.withLock { state in
      let now = clock()
      // Vehicles have moved since the last call.
      state.traffic?.advance(to: now, &state.engine)
      return body(&state.engine, &state.faults, now)
    }
  }
}
