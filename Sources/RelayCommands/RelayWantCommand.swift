import CommandLine
import CommandResources
import CommandShell
import TripRelay
import Tripwire

struct RelayWantOptions: Sendable {
  var provider = ProviderOption()
  var duration = Duration.seconds(3_600)
  var isPinned = false

  static let all: [Option<RelayWantOptions>] =
    [
      .value(
        "for", "TIME", .common, "poll the resources for TIME, such as 10m\nDefault: 1h.",
        parse: { (text) throws(InvalidValue) in
          let duration = try Parse.duration(text)
          guard duration >= .seconds(1) else { throw InvalidValue("must be at least 1s") }
          // PollRequest.for_ms has 32 bits.
          guard duration <= .seconds(1_193 * 3_600) else {
            throw InvalidValue("must be at most 1193h; --pin has no end")
          }
          return duration
        }, store: { $0.duration = $1 }
      ).excluding(["pin"]),
      .flag(
        "pin", .common,
        "poll the resources until they are final\nA trip is final when it is complete or canceled, a task"
          + " or a shipment when it is closed, and a vehicle never.",
        store: { $0.isPinned = true }),
    ] + ProviderOption.all.map { $0.inside(\.provider) }
}

private let wantOptions = RelayCommandOptions<RelayWantOptions>.all(RelayWantOptions.all)

let relayWantCommand =
  Command.relaying(
    name: "relay want", summary: "request that the workers poll resources", operand: .resource,
    RelayWantOptions(),
    wantOptions, help: { wantHelp },
    run: { (line, options, console, loop) throws(ErrorReport) in
      let names = try relayNames(line, options.own.provider, of: "relay want")
      let duration = options.own.isPinned ? nil : options.own.duration
      try await options.relay.withClient(on: loop) { client throws(NATSError) in
        let pollRequests = PollRequests(client)
        try await pollRequests.prepare()
        try await pollRequests.add(names, for: duration)
      }
      return .success
    })

private let unwantOptions = RelayCommandOptions<ProviderOption>.all(ProviderOption.all)

let relayUnwantCommand =
  Command.relaying(
    name: "relay unwant", summary: "withdraw the request of 'relay want'", operand: .resource,
    ProviderOption(), unwantOptions, help: { unwantHelp },
    run: { (line, options, console, loop) throws(ErrorReport) in
      let names = try relayNames(line, options.own, of: "relay unwant")
      try await options.relay.withClient(on: loop) { client throws(NATSError) in
        try await PollRequests(client).remove(names)
      }
      return .success
    })

func relayNames(
  _ line: ParsedCommandLine, _ provider: ProviderOption, of command: String
) throws(ErrorReport) -> [ResourceName] {
  try ErrorReport.reporting(NameOperands.names(line, provider, of: command))
}

/// The exit codes of the commands that use NATS only.
let relayExitCodes: [(term: String, meaning: String)] =
  [("0", "success"), ("1", "a local failure, or a failure of NATS"), ("2", "invalid command line")]
  + ExitCode.table.dropFirst(3).filter { $0.term != ExitCode.callTerm }

private let wantHelp = HelpText(
  usage: "tripwire relay want NAME... [options]",
  about:
    "Requests that the workers poll \(ResourceKind.allCases.map(\.plural).joined(conjunction: "or")). If an"
    + " earlier request for the same resource ends later than this one, it stays in effect. A running reader, such as 'relay read', requests its resources"
    + " itself. " + NameOperands.inputHelp,
  examples: [
    "tripwire relay want providers/p/trips/t1 --for 10m": "",
    "tripwire relay want providers/p/tasks/t1 providers/p/deliveryVehicles/v1": "",
    "tripwire search trips --provider p -o name | tripwire relay want -": "",
  ], options: wantOptions, exitCodes: relayExitCodes)

private let unwantHelp = HelpText(
  usage: "tripwire relay unwant NAME... [options]",
  about:
    "Withdraws the requests of 'relay want', also those with --pin. A running reader,"
    + " such as 'relay read', requests its resources again within 30 s; they are not polled until then. "
    + NameOperands.inputHelp,
  options: unwantOptions, exitCodes: relayExitCodes)
