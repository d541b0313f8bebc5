import CloudLogging
import CommandResources
import CommandShell
import Tripwire
import WireSystem

extension DoctorSteps {
  /// The greatest difference of the clocks in seconds that is not a failure. Tokens that are signed on this
  /// machine must have the right time.
  private static let largestSkew: Int64 = 60

  /// Compares the clocks. The server may answer the health check with any status.
  func clockStep() async -> DoctorStep {
    let date = Locked<(text: String, clock: WallClock)?>(nil)
    var configuration = server.configuration
    let trace = configuration.trace
    configuration.trace = { [console] event in
      trace?(event)
      switch event.step {
      case .responseHeaders(let headers), .trailers(let headers):
        guard let value = headers.first(where: { $0.name == "date" })?.value else { return }
        date.withLock { $0 = $0 ?? (value, console.clock()) }
      default: break
      }
    }
    let start = ContinuousClock.now
    let channel: Channel
    do throws(CallError) {
      channel = try Channel(target: server.endpoint, configuration: configuration)
    } catch {
      return .failed("clock", report(error))
    }
    var failure: CallError?
    do throws(CallError) {
      _ = try await channel.unary(
        path: "/grpc.health.v1.Health/Check", [], options: CallOptions(timeout: timeout))
    } catch {
      failure = error
    }
    let time = ContinuousClock.now - start
    guard let (text, clock) = date.withLock({ $0 }) else {
      if let failure, failure.origin != .server {
        return .failed("clock", report(failure), time)
      }
      return .skipped("clock", "not checked: the server sends no \"date\" header")
    }
    guard let seconds = HTTPDate.seconds(text) else {
      return .skipped("clock", "not checked: the \"date\" header is not a date: \(text)")
    }
    return Self.clockStep(ahead: clock.now - seconds, time)
  }

  /// - Parameter seconds: how far this machine is ahead of the server.
  static func clockStep(ahead seconds: Int64, _ time: Duration?) -> DoctorStep {
    let amount = Units.duration(seconds: seconds.magnitude)
    let direction = seconds > 0 ? "ahead of" : "behind"
    // The header has no fractions of a second.
    let message =
      seconds.magnitude < 2
      ? "this machine and the server agree" : "this machine is \(amount) \(direction) the server"
    guard seconds.magnitude > Self.largestSkew else { return .ok("clock", message, time) }
    let report = ErrorReport(
      local: message, hint: "set the clock of this machine, for example with NTP")
    return .failed("clock", report, time)
  }

  /// Reads a log entry of the project.
  func logsStep(_ project: String) async -> DoctorStep {
    let start = ContinuousClock.now
    do throws(ErrorReport) {
      let reader = LogReader(try server.channel(), server.tokens) { server.callOptions($0) }
      do throws(CallError) {
        try await reader.check(project: project)
      } catch {
        throw report(error)
      }
      return .ok("call", "projects/\(project): log entries can be read", .now - start)
    } catch {
      var report = error
      report.message = report.headline
      return .failed("call", report, .now - start)
    }
  }

  /// Gets the resource.
  func callStep(_ name: ResourceName) async -> DoctorStep {
    let start = ContinuousClock.now
    do throws(CallError) {
      let formatter = TripFormatter(clock: console.clock())
      let response = try await server.fleet().resource(name) { server.callOptions($0) }
      let summary = ResourceSummary(response.resource, formatter)
      return .ok(
        "call", "\(name): \(summary.status ?? summary.stop ?? TextTable.unset)", .now - start)
    } catch {
      var report = report(error)
      report.message = report.headline
      return .failed("call", report, .now - start)
    }
  }
}
