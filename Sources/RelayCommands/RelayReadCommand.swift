import CommandLine
import CommandResources
import CommandShell
import TripRelay
import Tripwire
import WireSystem

private let readOptions = RelayCommandOptions<ProviderOption>.all(ProviderOption.all)

let relayReadCommand =
  Command.relaying(
    name: "relay read", summary: "write the states of resources to stdout", operand: .resource,
    ProviderOption(), readOptions, help: { readHelp },
    run: { (line, options, console, loop) throws(ErrorReport) in
      let names = try relayNames(line, options.own, of: "relay read")
      if console.outputIsTerminal() {
        throw ErrorReport(
          local: "the states are binary messages, which a terminal cannot show",
          hint: "show the resources: tripwire follow NAME --from nats://HOST")
      }
      let output = try mapError(StateOutput()) { (error: IOError) in
        ErrorReport(local: escaped("cannot \(error)"))
      }
      try await options.relay.withClient(on: loop) { client throws(NATSError) in
        try await RelayReader(client, names, to: output) { console.report($0) }.run()
      }
      if let failure = output.failure {
        throw ErrorReport(
          local: "cannot write to stdout: \(failure.code)",
          hint: "check the file or device that stdout is redirected to")
      }
      return .success
    })

private let readHelp = HelpText(
  usage: "tripwire relay read NAME... [options]",
  about:
    "Writes the current state of each trip, vehicle, task or other resource to stdout, and then its changes. The"
    + " workers poll the resources while the command runs. Each state is a message tripwire.relay.v1.ResourceState,"
    + " preceded by its length as a varint. If stdout is read slowly, states are skipped, but never the"
    + " newest one. The command ends when the reader closes stdout. It refuses to write to a terminal. "
    + NameOperands.inputHelp,
  examples: ["tripwire relay read providers/p/trips/t1 >states": ""], options: readOptions,
  exitCodes: [("0", "stdout was closed by its reader, as by 'head'")]
    + relayExitCodes.filter { $0.term != "0" && $0.term != ExitCode.closedOutputTerm })
