import CommandLine
import CommandResources
import CommandShell
import TripRelay
import Tripwire

private let options = RelayCommandOptions<ProviderOption>.all(ProviderOption.all)

let relayUnwantCommand =
  Command.relaying(
    name: "relay unwant", summary: "withdraw the request of 'relay want'", operand: .resource,
    ProviderOption(), options, help: { help },
    run: { (line, options, _, loop) throws(ErrorReport) in
      let names = try relayNames(line, options.own, of: "relay unwant")
      try await options.relay.withClient(on: loop) { client throws(NATSError) in
        try await PollRequests(client).remove(names)
      }
      return .success
    })

private let help = HelpText(
  usage: "tripwire relay unwant NAME... [options]",
  about:
    "Withdraws the requests of 'relay want', also those with --pin. A running reader,"
    + " such as 'relay read', requests its resources again within 30 s; they are not polled until then. "
    + NameOperands.inputHelp,
  options: options, exitCodes: relayExitCodes)
