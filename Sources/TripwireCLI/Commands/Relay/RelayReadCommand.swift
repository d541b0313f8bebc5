import Tripwire

private let readOptions = RelayCommandOptions<ProviderOption>.all(ProviderOption.all)

func relayReadCommand(_ engine: any RelayEngine) -> Command {
  Command.relaying(
    name: "relay read", summary: "write the states of trips to stdout", operand: .trip,
    ProviderOption(), readOptions, help: { readHelp },
    run: { (line, options, console, loop) throws(ErrorReport) in
      let names = try relayNames(line, options.own, of: "relay read")
      if console.outputIsTerminal() {
        throw ErrorReport(
          local: "the states are binary messages, which a terminal cannot show",
          hint: "show the trips: tripwire follow NAME --from nats://HOST")
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
    "Writes the state of each trip to stdout at once and after each change, and keeps the trips wanted while"
    + " it runs. Each state is a message tripwire.relay.v1.TripState after its length as a varint. A slow"
    + " reader misses states, but never the newest. The command ends when its stdout is closed.",
  sections: [
    HelpText.Section(
      title: HelpText.examples,
      rows: [("tripwire relay read providers/p/trips/t1 >states", "")])
  ], options: readOptions, exitCodes: relayExitCodes)
