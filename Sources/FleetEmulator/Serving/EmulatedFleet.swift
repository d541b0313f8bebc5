import FleetEngineAPI
package import Tripwire
import WireGRPC
package import WireGRPCServer
package import WireProtobuf
import WireSystem

/// An engine whose vehicles move with the time, and whose calls may have faults. May be used on any thread.
package final class EmulatedFleet: Sendable {
  /// What calls and programs change.
  struct State: Sendable {
    var engine: FleetEngine
    var traffic = Traffic()
    var faults = FaultTable() { didSet { engine.stuckLocations = faults.stuckLocations } }
  }

  private struct Contents {
    var time: EmulatorTime
    var state: State
    /// Nil if the resources are kept in memory only.
    let store: (any ResourceStore)?

    /// Saves all changes or, if that fails, undoes them.
    ///
    /// - Parameter trafficBefore: nil without a store.
    mutating func save(_ trafficBefore: Traffic?) throws(EngineError) {
      guard let store else {
        _ = state.engine.takeChanges()
        return
      }
      do throws(EngineError) {
        try state.engine.save(to: store)
      } catch {
        state.traffic = trafficBefore ?? state.traffic
        throw error
      }
    }
  }

  private let tokens: TokenPolicy
  private let contents: Locked<Contents>

  /// - Parameters:
  ///   - tokens: the calls that are accepted.
  ///   - engine: the resources at the beginning.
  ///   - store: keeps the resources, and has those of `engine`; nil for memory only.
  ///   - demo: the vehicles that move by themselves; nil for none.
  package init(
    time: EmulatorTime, tokens: TokenPolicy = .open,
    engine: FleetEngine = FleetEngine(), store: sending (any ResourceStore)? = nil,
    demo: Traffic.Demo? = nil
  ) {
    self.tokens = tokens
    var state = State(engine: engine)
    if let demo { state.traffic.add(demo, at: time.now, &state.engine) }
    contents = Locked(Contents(time: time, state: state, store: store))
  }

  /// Saves the resources of the demo, as each call does.
  package func save() throws(EngineError) { try execute { _, _ in } }

  /// Adds a fault, as CreateFault does.
  package func create(_ fault: Fault) throws(EngineError) {
    _ = try execute { state, now throws(EngineError) in try state.faults.create(fault, at: now) }
  }

  /// A method: takes a request in binary form and the bearer token, and returns the answer and its delay.
  package typealias Method =
    @Sendable (_ request: [UInt8], _ token: String?) -> (UnaryAnswer, delay: Duration)

  /// Returns the method at a path, such as `/maps.fleetengine.v1.TripService/GetTrip`; nil if there is none.
  ///
  /// It executes a call at the present time, unless a fault prevents it.
  package func method(_ path: String) -> Method? {
    if let method = EmulatorControl.method(path) {
      return { [self] request, _ in
        (UnaryAnswer { () throws(EngineError) in try method(self, request) }, .zero)
      }
    }
    guard let method = FleetEngine.method(path) else { return nil }
    return { [self] request, token in
      let answer = change { state, now -> (UnaryAnswer, Duration) in
        let (delay, answer) = state.faults.effects(of: path, request, at: now)
        if let answer { return (answer, delay) }
        let response = UnaryAnswer { () throws(EngineError) in
          try method(&state.engine, request, now) { claim throws(EngineError) in
            try tokens.check(token, for: claim, at: now)
          }
        }
        return (response, delay)
      }
      switch answer {
      case .success(let answer): return answer
      case .failure(let error): return (.failure(error.status), .zero)
      }
    }
  }

  /// Executes a call of the method at a path.
  package func answer(
    _ path: String, _ request: [UInt8], token: String?
  ) -> (UnaryAnswer, delay: Duration) {
    method(path)?(request, token) ?? (.failure(EngineError.noMethod(path).status), .zero)
  }

  /// Returns the vehicles of both APIs that have reported a location, by name, and the present time; nil if the
  /// movements of vehicles cannot be saved.
  ///
  /// - Parameter most: the greatest number of vehicles.
  package func vehicles(most: Int) -> (vehicles: [FleetResource], time: Timestamp)? {
    try? change { state, now in
      // v10 follows v9.
      let all = state.engine.locatedVehicles.sorted {
        ($0.name.utf8.count, $0.name) < ($1.name.utf8.count, $1.name)
      }
      return (Array(all.prefix(most)), now)
    }.get()
  }

  /// Returns the IDs of the present trips of a vehicle; none if there is no such vehicle.
  ///
  /// - Parameter parent: the provider, such as "providers/demo".
  package func currentTrips(of vehicle: String, _ parent: String) -> [String] {
    let trips = try? change { state, _ in
      state.engine[parent: parent].vehicles[vehicle]?.vehicle.currentTrips ?? []
    }.get()
    return trips ?? []
  }

  /// Advances the time, and returns it.
  ///
  /// - Throws: if it follows a clock, or would pass ``EmulatorTime/latest``.
  func advanceTime(by duration: Duration) throws(EngineError) -> Timestamp {
    try contents.withLock { contents in
      Result { () throws(EngineError) in try contents.time.advance(by: duration) }
    }.get()
    return try execute { $1 }
  }

  /// Changes the fleet at the present time.
  ///
  /// - Throws: the error of `body`, or that the changes cannot be saved. Then they are undone.
  func execute<Result>(
    _ body: (inout State, Timestamp) throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    try change { state, now in
      Swift.Result { () throws(EngineError) in try body(&state, now) }
    }.get().get()
  }

  /// Changes the fleet at the present time.
  ///
  /// - Returns: an error if the changes cannot be saved. Then they are undone.
  @discardableResult
  func change<Result>(
    _ body: (inout State, Timestamp) -> Result
  ) -> Swift.Result<Result, EngineError> {
    contents.withLock { contents in
      let now = contents.time.now
      // A second reference makes a change of the traffic a copy of it.
      let traffic = contents.store == nil ? nil : contents.state.traffic
      // Vehicles have moved since the last call.
      contents.state.traffic.advance(to: now, &contents.state.engine)
      let result = body(&contents.state, now)
      do throws(EngineError) {
        // The movements of vehicles also if the call has failed.
        try contents.save(traffic)
        return .success(result)
      } catch {
        return .failure(error)
      }
    }
  }
}

extension UnaryAnswer {
  /// The response that `body` returns, or the status that it throws.
  fileprivate init(_ body: () throws(EngineError) -> [UInt8]) {
    do throws(EngineError) {
      self = .response(try body())
    } catch {
      self = .failure(error.status)
    }
  }
}
