import CommandLine
import CommandShell
import TripRelay

struct RelayDrainOptions: Sendable {
  var isUndone = false

  static let all: [Option<RelayDrainOptions>] = [
    .flag("undo", .common, "let the worker poll resources again", store: { $0.isUndone = true })
  ]
}

private let options = RelayCommandOptions<RelayDrainOptions>.all(RelayDrainOptions.all)

let relayDrainCommand =
  Command.relaying(
    name: "relay drain", summary: "move the resources of a worker to others", operand: .other,
    RelayDrainOptions(), options, help: { help },
    run: { (line, options, console, loop) throws(ErrorReport) in
      let worker = try ErrorReport.reporting(workerName(line))
      let others = try await options.relay.withClient(on: loop) { client throws(ErrorReport) in
        do throws(WorkerDrain.Failure) {
          return try await WorkerDrain(client).set(!options.own.isUndone, of: worker)
        } catch {
          throw ErrorReport(error, worker)
        }
      }
      if !options.own.isUndone, !others.contains(where: \.isPolling) {
        console.warn(warning(worker, others))
      }
      return .success
    })

private func warning(_ worker: String, _ others: [RelayStatus.Worker]) -> String {
  let end = ": nobody polls the resources of \(shown(worker))"
  guard !others.isEmpty else { return "no other worker runs" + end }
  let phases = others.map { escaped("\($0.name) is \($0.phase)") }
  return "no other worker polls, because \(phases.joined(conjunction: "and"))" + end
}

private func workerName(_ line: ParsedCommandLine) throws(UsageError) -> String {
  guard let worker = line.operands.first, !worker.isEmpty else {
    throw UsageError(
      message: "WORKER is missing", hint: "pass a name that 'tripwire relay status' shows")
  }
  if let other = line.operands.dropFirst().first {
    throw UsageError(
      message: "unexpected argument \(shown(other))", hint: "drain one worker at a time")
  }
  return worker
}

extension ErrorReport {
  fileprivate init(_ failure: WorkerDrain.Failure, _ worker: String) {
    let name = shown(worker)
    switch failure {
    case .nats(let error): self.init(error)
    case .unknownWorker(let others):
      let guess = nearest(to: worker, among: others)
      self.init(
        local: "no worker has the name \(name)",
        hint: guess.map { "did you mean \(escaped($0))?" }
          ?? "pass a name that 'tripwire relay status' shows")
    case .lost(let worker):
      self.init(
        local: "the worker \(name) has sent no heartbeat for \(worker.age.components.seconds) s",
        hint: "do nothing: the other workers poll its resources")
    case .noAnswer:
      self.init(
        local: "the worker \(name) did not answer within 10 s",
        hint: "check its messages and its version: 0.1.0 does not know 'relay drain'")
    }
  }
}

private let help = HelpText(
  usage: "tripwire relay drain WORKER [options]",
  about:
    "Moves the resources of a worker to the other workers, and waits until it has handed them over. The worker"
    + " keeps running, and takes no resources until --undo. WORKER is a name that 'tripwire relay status' shows, where"
    + " the phase of the worker is then drained. To end a worker, send it SIGTERM: it then hands its resources over, too.",
  examples: [
    "tripwire relay drain host-4711-a1b2": "",
    "tripwire relay drain host-4711-a1b2 --undo": "",
  ], options: options, exitCodes: relayExitCodes)
