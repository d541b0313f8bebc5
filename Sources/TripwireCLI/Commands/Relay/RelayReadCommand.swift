import Tripwire

private let readOptions = RelayCommandOptions<ProviderOption>.all(ProviderOption.all)

func relayReadCommand(_ engine: any RelayEngine) -> Command {
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
      do throws(RelayFailure) {
        try await engine.read(names, options.relay, on: loop) { console.report($0) }
        return .success
      } catch {
        throw ErrorReport(error)
      }
    })
}

private let readHelp = HelpText(
  usage: "tripwire relay read NAME... [options]",
  about:
    "Writes the current state of each trip, vehicle, task or other resource to stdout, and then its changes. The"
    + " workers poll the resources while the command runs. Each state is a message tripwire.relay.v1.ResourceState,"
    + " preceded by its length as a varint. If stdout is read slowly, states are skipped, but never the"
    + " newest one. The command ends when the reader closes stdout. It refuses to write to a terminal. "
    + FollowRequest.namesFromInput,
  sections: [
    HelpText.Section(
      title: HelpText.examples,
      rows: [("tripwire relay read providers/p/trips/t1 >states", "")])
  ], options: readOptions,
  exitCodes: [("0", "stdout was closed by its reader, as by 'head'")]
    + relayExitCodes.filter { $0.term != "0" && $0.term != ExitCode.closedOutputTerm })
