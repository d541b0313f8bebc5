import Tripwire

/// The options of `tripwire relay want`.
struct RelayWantOptions: Sendable {
  var provider = ProviderOption()
  var duration = Duration.seconds(3_600)
  var isPinned = false

  static let all: [Option<RelayWantOptions>] =
    [
      .value(
        "for", "TIME", .common, "have the trips polled for TIME, such as 10m\nDefault: 1h.",
        parse: Parse.duration, store: { $0.duration = $1 }),
      .flag(
        "pin", .common, "have the trips polled until they are over",
        store: { $0.isPinned = true }),
    ] + ProviderOption.all.map { $0.inside(\.provider) }
}

private let wantOptions = RelayCommandOptions<RelayWantOptions>.all(RelayWantOptions.all)

func relayWantCommand(_ engine: any RelayEngine) -> Command {
  Command.relaying(
    name: "relay want", summary: "have trips polled", operand: .trip, RelayWantOptions(),
    wantOptions, help: { wantHelp },
    run: { (line, options, console, loop) throws(ErrorReport) in
      if options.own.isPinned, line.sources["for"] == .option {
        throw ErrorReport(.conflict("--for", "--pin"), command: "relay want")
      }
      let names = try relayNames(line, options.own.provider, of: "relay want")
      do throws(RelayFailure) {
        try await engine.want(
          names, for: options.own.isPinned ? nil : options.own.duration, options.relay, on: loop)
        return .success
      } catch {
        throw ErrorReport(error)
      }
    })
}

private let unwantOptions = RelayCommandOptions<ProviderOption>.all(ProviderOption.all)

func relayUnwantCommand(_ engine: any RelayEngine) -> Command {
  Command.relaying(
    name: "relay unwant", summary: "no longer have trips polled", operand: .trip,
    ProviderOption(), unwantOptions, help: { unwantHelp },
    run: { (line, options, console, loop) throws(ErrorReport) in
      let names = try relayNames(line, options.own, of: "relay unwant")
      do throws(RelayFailure) {
        try await engine.unwant(names, options.relay, on: loop)
        return .success
      } catch {
        throw ErrorReport(error)
      }
    })
}

func relayNames(
  _ line: ParsedCommandLine, _ provider: ProviderOption, of command: String
) throws(ErrorReport) -> [TripName] {
  do throws(UsageError) {
    return try FollowRequest.tripNames(line, provider, of: command)
  } catch {
    throw ErrorReport(error, command: command)
  }
}

/// The exit codes of the commands that use NATS only.
let relayExitCodes = ExitCode.table.filter { $0.term != ExitCode.callTerm }

private let wantHelp = HelpText(
  usage: "tripwire relay want NAME... [options]",
  about:
    "Has trips polled by the workers. A want of the same trip that lasts longer stays. Readers want their"
    + " trips themselves while they run.",
  sections: [
    HelpText.Section(
      title: HelpText.examples,
      rows: [("tripwire relay want providers/p/trips/t1 --for 10m", "")])
  ], options: wantOptions, exitCodes: relayExitCodes)

private let unwantHelp = HelpText(
  usage: "tripwire relay unwant NAME... [options]",
  about:
    "Withdraws the want of trips, pinned ones included. A reader that is running wants its trips again.",
  options: unwantOptions, exitCodes: relayExitCodes)
