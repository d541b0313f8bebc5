package import CommandLine
import FleetEngineAPI

// The command that the program tripwire-relay carries out, for help, completion and hints of both programs.

package let relayName = "relay"

package let relaySummary = "poll resources for any number of readers, through NATS"

private let subcommands: [HelpText.Row] = [
  ("work", "run a worker, which polls a share of the resources"),
  ("want", "request that the workers poll resources"),
  ("unwant", "withdraw the request of 'relay want'"),
  ("status", "show the workers"),
  ("read", "write the states of resources to stdout"),
  ("drain", "move the resources of a worker to others"),
]

/// For completion.
package let relaySubcommands = subcommands.map(\.term)

package let relayHelp =
  HelpText(
    usage: "tripwire relay COMMAND [options]",
    about:
      "Shares \(ResourceKind.allCases.map(\.plural).joined(conjunction: "and")) through NATS: one worker"
      + " polls each requested resource, and any number of readers receive the changes. It needs nats-server with"
      + " JetStream, and the program tripwire-relay.",
    examples: [
      "tripwire relay work":
        "start a worker, with the Google Cloud credentials of this machine",
      "tripwire relay want providers/p/trips/t1 --for 1h": "poll a trip for an hour",
      "tripwire relay status": "show the workers",
    ],
    sections: [
      HelpText.Section(title: HelpText.commands, rows: subcommands)
    ], options: [.help])
