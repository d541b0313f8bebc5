import CommandLine
import CommandResources
import CommandShell
import FleetEmulator
import Tripwire
import WireProtobuf
import WireSystem

/// Sends the locations of a drive, and prints each.
final class LocationSender: Sendable {
  private struct State {
    var drive: Drive
    /// Why no more positions are read.
    var inputFault: ErrorReport?
    var sent = 0
    var failed = 0
  }

  private let name: ResourceName
  private let server: Server
  private let fleet: FleetServices
  private let console: Console
  private let printsJSON: Bool
  private let errorFormat: ErrorFormat
  private let start = ContinuousClock.now
  private let state: Locked<State>

  init(
    _ name: ResourceName, _ drive: Drive, _ server: Server, _ console: Console, printsJSON: Bool,
    errorFormat: ErrorFormat
  ) throws(ErrorReport) {
    self.name = name
    self.server = server
    self.console = console
    self.printsJSON = printsJSON
    self.errorFormat = errorFormat
    state = Locked(State(drive: drive))
    fleet = try mapError(server.fleet()) { (error: CallError) in
      ErrorReport(error, server.hint(about: .resource(name.description)))
    }
  }

  private var now: Duration { .now - start }

  /// "providers/p/vehicles/v1: sent 43 locations in 7 min 3 s"; nil if none was sent.
  var summary: String? {
    state.withLock { state in
      state.sent == 0
        ? nil
        : "\(escaped(name.description)): sent \(Units.count(state.sent, "location")) in \(Units.seconds(now))"
          + (state.failed > 0 ? "; \(Units.count(state.failed, "call")) failed" : "")
    }
  }

  /// Sends locations until the end of the route or of the positions, or until the task is canceled.
  ///
  /// - Parameter input: the positions; nil for a route.
  func run(_ input: PositionInput?) async throws(ErrorReport) {
    let (arrivals, arrival) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let reading = Task {
      guard var input else { return }
      do throws(ErrorReport) {
        while let place = try await input.next() {
          state.withLock { $0.drive.offer(place, at: now) }
          arrival.yield()
        }
      } catch {
        state.withLock { $0.inputFault = error }
      }
      state.withLock { $0.drive.endPositions() }
      arrival.finish()
    }
    defer { reading.cancel() }
    try await send(arrivals)
    guard !Task.isCancelled, input != nil else { return }
    let (sent, fault) = state.withLock { ($0.sent, $0.inputFault) }
    if let fault { throw fault }
    if sent == 0 { throw PositionInput.noPosition }
  }

  private func send(_ arrivals: AsyncStream<Void>) async throws(ErrorReport) {
    var arrivals = arrivals.makeAsyncIterator()
    /// The last error that was printed, if no location was sent since.
    var printed: String?
    while !Task.isCancelled {
      let began = now
      switch state.withLock({ $0.drive.next(at: began) }) {
      case .end: return
      case .wait(let end):
        if let plan = state.withLock({ $0.drive.plan }) {
          let left = max(plan.duration - began, .zero)
          console.waitLine.show("\(Units.duration(seconds: UInt64(left.components.seconds))) left")
        }
        _ = await console.sleep(for: end - began)
      case .waitForPosition:
        console.waitLine.show("waiting for a position on stdin")
        await arrivals.next()
      case .send(let location):
        let clock = console.clock()
        do throws(CallError) {
          try await call(location, at: clock)
        } catch {
          if Task.isCancelled { return }
          let method = String(name.kind.path(of: "Update").dropFirst())
          let report = ErrorReport(
            error, server.hint(about: .changed(name.description, method: method)))
          state.withLock { state in
            state.failed += 1
            state.drive.failed(
              at: now, delay: error.requestedDelay, random: .random(in: 0..<1))
          }
          guard error.kind == .serverOrNetwork || error.mayHelpLater else { throw report }
          if report.message != printed { _ = console.report(report, as: errorFormat) }
          printed = report.message
          continue
        }
        printed = nil
        state.withLock { state in
          state.drive.succeeded(began: began)
          state.sent += 1
        }
        try console.write(line(location, clock))
      }
    }
  }

  private func call(_ location: LocationReport, at clock: WallClock) async throws(CallError) {
    let time = Timestamp(seconds: clock.now, nanos: clock.milliseconds * 1_000_000)
    var options = server.callOptions(.never)
    options.timeout = options.timeout ?? .seconds(15)
    if name.kind == .deliveryVehicle {
      let request = location.request(deliveryVehicle: name.description, at: time)
      _ = try await fleet.deliveryService.updateDeliveryVehicle(request, options: options)
    } else {
      let request = location.request(vehicle: name.description, at: time)
      _ = try await fleet.vehicleService.updateVehicle(request, options: options)
    }
  }

  private func line(_ location: LocationReport, _ clock: WallClock) -> String {
    guard printsJSON else {
      let parts = [
        clock.timeOfDay, TripFormatter(clock: clock).point(location.place),
        location.speed.map { "\(Units.fixed($0 * 3.6, decimals: 0)) km/h" },
        location.heading.map { Units.compassPoint(degrees: Double($0)) },
        location.remaining.map { "\(Units.distance(meters: $0)) left" },
      ]
      return parts.compactMap(\.self).joined(separator: "  ") + "\n"
    }
    return JSONWriter.object { json in
      json.member("time", clock.utc)
      json.member("name", name.description)
      json.member("location") { json in
        json.object { json in
          json.member("latitude") { $0.put(decimal: location.place.latitude) }
          json.member("longitude") { $0.put(decimal: location.place.longitude) }
        }
      }
      if let heading = location.heading { json.member("heading") { $0.put(number: heading) } }
      for (key, value) in [
        ("speed", location.speed), ("drivenMeters", location.driven),
        ("remainingMeters", location.remaining),
      ] {
        if let value { json.member(key) { $0.put(decimal: (value * 100).rounded() / 100) } }
      }
    } + "\n"
  }
}
