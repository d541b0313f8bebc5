import WireGRPC
package import WireProtobuf
import WireSystem

/// An engine whose vehicles move with the time. May be used on any thread.
package final class EmulatedFleet: Sendable {
  private struct State {
    var engine: FleetEngine
    var traffic: DemoTraffic?
    /// Nil if the resources are kept in memory only.
    let file: StateFile?

    /// Saves all changes or, if that fails, undoes them.
    mutating func save(_ trafficBefore: DemoTraffic?) throws(EngineError) {
      guard let file else {
        _ = engine.takeChanges()
        return
      }
      do throws(StateFileError) {
        try file.save(&engine)
      } catch {
        traffic = trafficBefore
        throw EngineError(
          error.isDiskFull ? .resourceExhausted : .internal,
          "the emulator cannot save the change: \(error.reason)")
      }
    }
  }

  private let clock: @Sendable () -> Timestamp
  private let tokens: TokenPolicy
  private let state: Locked<State>

  /// - Parameters:
  ///   - clock: returns the present time.
  ///   - tokens: the calls that are accepted.
  ///   - file: keeps the resources; nil for memory only.
  ///   - demo: the vehicles that move by themselves; nil for none.
  package init(
    clock: @escaping @Sendable () -> Timestamp, tokens: TokenPolicy = .open,
    file: sending StateFile? = nil, demo: DemoTraffic.Options? = nil
  ) throws(StateFileError) {
    self.clock = clock
    self.tokens = tokens
    var engine = try file?.engine() ?? FleetEngine()
    let traffic = demo.map { DemoTraffic($0, at: clock(), &engine) }
    try file?.save(&engine)
    state = Locked(State(engine: engine, traffic: traffic, file: file))
  }

  /// Executes a call at the present time; see ``FleetEngine/call(_:_:at:authorize:)``.
  ///
  /// - Parameter token: the bearer token; nil for none.
  package func call(
    _ path: String, _ request: [UInt8], token: String?
  ) throws(EngineError) -> [UInt8] {
    let result = state.withLock { state -> Result<[UInt8], EngineError> in
      let now = clock()
      let traffic = state.file == nil ? nil : state.traffic
      // Vehicles have moved since the last call.
      state.traffic?.advance(to: now, &state.engine)
      let result = Result<[UInt8], EngineError> { () throws(EngineError) in
        try state.engine.call(path, request, at: now) { claim throws(EngineError) in
          try tokens.check(token, for: claim, at: now)
        }
      }
      do throws(EngineError) {
        // The movements of vehicles also if the call has failed.
        try state.save(traffic)
        return result
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}
