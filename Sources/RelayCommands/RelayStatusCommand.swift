import CommandLine
import CommandShell
import TripRelay
import Tripwire

struct RelayStatusOptions: Sendable {
  var isJSON = false
  var watches = false

  static let all: [Option<RelayStatusOptions>] = [
    .value(
      "output", short: "o", "FORMAT", .common,
      "print text (default) or json\njson is one object with workers, wanted (the number of requested resources),"
        + " polled (the number that workers poll), states (the number of resources with a state), partitions and"
        + " leaders (the number of streams that each node of NATS leads). A worker has name, phase, resources, capacity, callsPerMinute, errors, lagMs and ageMs.",
      choice: Choice([("text", false), ("json", true)]), store: { $0.isJSON = $1 }),
    .flag(
      "watch", .common,
      "print the status every 2 s\nIf the status cannot be read later, tripwire prints a warning and tries again.",
      store: { $0.watches = true }),
  ]
}

private let options = RelayCommandOptions<RelayStatusOptions>.all(RelayStatusOptions.all)

let relayStatusCommand =
  Command.relaying(
    name: "relay status", summary: "show the workers", operand: .other, RelayStatusOptions(),
    options, help: { help },
    run: { (line, options, console, loop) throws(ErrorReport) in
      if let operand = line.operands.first {
        throw .usage("unexpected argument \(shown(operand))")
      }
      var isFirst = true
      var (isPolled, lacksCapacity) = (false, false)
      repeat {
        let status: RelayStatus
        do throws(NATSError) {
          status = try await options.relay.connected(on: loop) { client throws(NATSError) in
            try await RelayStatus(client)
          }
        } catch {
          if isFirst { throw ErrorReport(error) }
          console.report(error)
          continue
        }
        isFirst = false
        isPolled = status.capacity != nil
        let end = options.own.watches ? "\n" : ""
        let text = options.own.isJSON ? status.json + "\n" : status.text + end
        try console.write(text)
        let warning = status.capacityWarning
        if let warning, !lacksCapacity { console.warn(warning) }
        lacksCapacity = warning != nil
        guard options.own.watches else { break }
      } while await console.sleep(for: .seconds(2))
      guard !isPolled, !options.own.watches else { return .success }
      console.warn(
        "no worker polls resources: start one with 'tripwire relay work', or end a drain with"
          + " 'tripwire relay drain WORKER --undo'")
      return isNotPolled
    })

/// As of `systemctl status` for a service that does not run.
private let isNotPolled = ExitCode(rawValue: 3)

extension RelayStatus.Worker {
  var phase: String { isLost ? "lost" : heartbeat.phase.rawValue }
}

extension RelayStatus {
  fileprivate var text: String {
    let lines =
      [["WORKER", "PHASE", "RESOURCES", "CAPACITY", "CALLS/MIN", "LAG", "SEEN", "ERRORS"]]
      + workers.map { worker in
        let errors = worker.heartbeat.errors.sorted { $0.key < $1.key }.map { "\($0) \($1)" }
        return [
          worker.name, worker.phase, "\(worker.heartbeat.resources)",
          "\(worker.heartbeat.capacity)",
          "\(worker.heartbeat.callsPerMinute)", "\(worker.heartbeat.lag) ms",
          "\(worker.age.components.seconds) s ago",
          errors.isEmpty ? "none" : errors.joined(separator: ", "),
        ].map(escaped)
      }
    return drawn(lines, widths: columnWidths(lines)).map { $0 + "\n" }.joined()
      + "wanted: \(wanted), polled: \(polled), with a state: \(states), partitions: \(partitions)\n"
      + leadersText
  }

  /// Nil if the workers may poll all wanted resources, or none polls.
  fileprivate var capacityWarning: String? {
    guard let capacity, capacity < wanted else { return nil }
    return "\(wanted) resources are wanted, and the workers poll at most \(capacity): start another"
      + " worker, or raise --capacity of 'tripwire relay work'"
  }

  /// Without a cluster, one node leads all streams.
  private var leadersText: String {
    let nodes = leaders.sorted { $0.key < $1.key }.map { escaped("\($0.key) \($0.value)") }
    return nodes.count < 2 ? "" : "streams led by each node: \(nodes.joined(separator: ", "))\n"
  }

  fileprivate var json: String {
    let json = JSONWriter.object { json in
      json.member("wanted", wanted)
      json.member("polled", polled)
      json.member("states", states)
      json.member("partitions", partitions)
      json.object("leaders") { json in
        for (node, count) in leaders.sorted(by: { $0.key < $1.key }) { json.member(node, count) }
      }
      json.objects("workers", workers) { json, worker in
        json.member("name", worker.name)
        json.member("phase", worker.phase)
        json.member("resources", worker.heartbeat.resources)
        json.member("capacity", worker.heartbeat.capacity)
        json.member("callsPerMinute", worker.heartbeat.callsPerMinute)
        json.object("errors") { json in
          for (code, count) in worker.heartbeat.errors.sorted(by: { $0.key < $1.key }) {
            json.member(code, count)
          }
        }
        json.member("lagMs", worker.heartbeat.lag)
        json.member("ageMs", Int(worker.age / .milliseconds(1)))
      }
    }
    return escapedJSON(json)
  }
}

private let help = HelpText(
  usage: "tripwire relay status [options]",
  about:
    "Shows each worker as of its last heartbeat: the number of resources that it polls, calls per"
    + " minute, errors by code since its start, and lag, which is the time by which its latest poll is late.",
  options: options,
  exitCodes: relayExitCodes.prefix(3) + [("3", "no worker polls resources; not with --watch")]
    + relayExitCodes.dropFirst(3))
