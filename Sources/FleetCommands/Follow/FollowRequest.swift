import CommandCalls
import CommandResources
import CommandShell
import Tripwire
import WireIO
import WireSystem

package struct FollowRequest: Sendable {
  let names: [ResourceName]
  let options: FollowOptions
  /// The printed fields of each kind; all fields of other kinds are printed.
  var fields: [ResourceKind: ResponseFields] = [:]

  /// The largest size in bytes of the warnings that are kept until the end of a live view.
  private static let warningLimit = 1 << 16

  private enum End: Sendable {
    /// A resource has reached its end.
    case reached(ExitCode)
    /// All resources have reached their ends, and the display has no more readers.
    case unused(ExitCode)
    case timedOut(Result<ExitCode, ErrorReport>)
    case failed(ErrorReport)
    /// The command ends for another reason.
    case canceled
  }

  func run(_ console: Console) async throws(ErrorReport) -> ExitCode {
    var console = console
    let write = console.error
    let warnings = Locked("")
    if form(console) == .live, console.errorIsTerminal() {
      // The next draw would erase them.
      console.error = { text in
        warnings.withLock { if $0.utf8.count < Self.warningLimit { $0 += text } }
      }
    }
    defer {
      let text = warnings.withLock { $0 }
      if !text.isEmpty { write(text) }
    }
    // Not on the console's loop: a slow reader of stdout must not hold up the calls.
    let loop = try mapError(EventLoop.start(name: "output")) { (error: IOError) in
      ErrorReport(local: "cannot \(error)")
    }
    defer { loop.stop() }
    let form = form(console)
    let isReplayed = options.server.connection.replay != nil
    return try await run(console, on: loop) { [console] targets in
      FollowOutput(
        form, targets, fields, failsFast: options.failsFast, isReplayed: isReplayed, console,
        errorFormat: options.server.output.errorFormat, on: loop)
    }
  }

  /// Follows the resources and shows them.
  ///
  /// - Parameter loop: that of the display.
  func run(
    _ console: Console, on loop: EventLoop,
    display: @escaping @Sendable ([FollowTarget]) -> any FollowDisplay
  ) async throws(ErrorReport) -> ExitCode {
    if options.relay.url != nil {
      let reader = try RelayReadProcess(
        options.relay, names, console, options.server.output.errorFormat)
      let fleet = try mapError(FleetServices(providerID: "", source: reader.source)) {
        (error: CallError) in
        ErrorReport(error, hint: nil)
      }
      let targets = names.map { target($0, fleet, nil) }
      return try await interruptible(on: loop) { () async throws(ErrorReport) -> ExitCode in
        try await follow(targets, reader, console, display(targets))
      }
    }
    return try await options.server.withServer(console, on: loop, isOnlyCall: false) {
      (server) async throws(ErrorReport) -> ExitCode in
      console.waitLine.end()
      let fleet = try mapError(server.fleet()) { (error: CallError) in
        ErrorReport(error, hint(for: names[0], server))
      }
      let targets = names.map { target($0, fleet, server) }
      return try await follow(targets, nil, console, display(targets))
    }
  }

  /// - Parameter server: nil if a relay reports the resource.
  private func target(
    _ name: ResourceName, _ fleet: FleetServices, _ server: Server?
  ) -> FollowTarget {
    let model = fleet.model(of: name)
    if let server {
      let trip = TripRequestOptions(
        view: options.poll.view ?? .unspecified,
        routeFormat: options.poll.routeFormat ?? .unknownFormatType)
      model.configure(interval: options.poll.interval, trip, server.callOptions(nil))
    }
    return FollowTarget(model, name.kind, hint: server.map { hint(for: name, $0) })
  }

  private func follow(
    _ targets: [FollowTarget], _ reader: RelayReadProcess?, _ console: Console,
    _ display: any FollowDisplay
  ) async throws(ErrorReport) -> ExitCode {
    let end = await withTaskGroup(of: End.self) { tasks in
      for target in targets {
        tasks.addTask { await follow(target, display) }
      }
      if let reader {
        tasks.addTask {
          do throws(ErrorReport) {
            try await reader.run()
            return .canceled
          } catch {
            return .failed(error)
          }
        }
      }
      if let limit = options.limit {
        // On the loop that never waits for a reader of stdout.
        tasks.addTask(executorPreference: console.loop?.taskExecutor) {
          guard await console.sleep(for: limit) else { return .canceled }
          let outcome = FollowTimeout(
            limit: limit, goal: options.goal, isFromRelay: options.relay.url != nil
          ).outcome(of: targets.map(\.displayed))
          endProcessSoon(outcome.exitCode)
          return .timedOut(outcome)
        }
      }
      tasks.addTask(executorPreference: console.loop?.taskExecutor) {
        do throws(ErrorReport) {
          try await display.keepFresh()
          return .canceled
        } catch {
          return .failed(error)
        }
      }
      return await firstEnd(&tasks, display)
    }
    switch end {
    case .reached(let code), .unused(let code): return code
    case .timedOut(.failure(let report)) where display.printed?.contains(report) == true:
      return report.exitCode
    case .timedOut(let outcome): return try outcome.get()
    case .canceled: return .success
    case .failed(let report): throw report
    }
  }

  /// Waits until all resources have reached their ends, or something else ends the command.
  private func firstEnd(
    _ tasks: inout TaskGroup<End>, _ display: any FollowDisplay
  ) async -> End {
    var outcome = ExitCode.success
    var awaited = names.count
    var end: End?
    while let next = await tasks.next() {
      switch next {
      case .reached(let code):
        awaited -= 1
        if code != .success { outcome = code }
        guard awaited == 0 else { break }
        let code = outcome
        tasks.addTask {
          await display.untilUnused()
          return .unused(code)
        }
      case .unused: end = end ?? next
      case .timedOut: end = end ?? next
      case .failed: if case .failed = end {} else { end = next }
      case .canceled: break
      }
      // The other tasks end then, and the last state is shown.
      if end != nil { tasks.cancelAll() }
    }
    return end ?? .canceled
  }

  private func follow(_ target: FollowTarget, _ display: any FollowDisplay) async -> End {
    let goal = FollowGoal(status: options.goal)
    do throws(ErrorReport) {
      for await update in target.updates {
        try await display.show(target, update)
        if let code = update.resource.flatMap(goal.outcome(of:)) { return .reached(code) }
      }
      return .canceled
    } catch {
      return .failed(error)
    }
  }

  private func hint(for name: ResourceName, _ server: Server) -> Hint {
    server.hint(about: .resource(name.description))
  }

  func form(_ console: Console) -> FollowOutput.Form {
    switch options.output {
    case .json: .json
    case .geojson: .geojson
    case .text: canBeLive(console) ? .live : .lines
    case nil where options.fields != nil: .json
    case nil: !console.outputIsTerminal() ? .json : canBeLive(console) ? .live : .lines
    }
  }

  /// Whether stdout is a terminal that can overwrite lines, and nothing else writes to it.
  private func canBeLive(_ console: Console) -> Bool {
    let isTraced = options.server.output.isVerbose && console.errorIsTerminal()
    return console.outputIsTerminal() && !isTraced
      && ![nil, "", "dumb"].contains(console.environment("TERM"))
  }
}

extension Result<ExitCode, ErrorReport> {
  fileprivate var exitCode: ExitCode {
    switch self {
    case .success(let code): code
    case .failure(let report): report.exitCode
    }
  }
}
