import CommandLine
package import CommandShell

package let tokenCommand = Command.group(
  name: "token", summary: "mint or inspect a token",
  subcommands: [mintTokenCommand, inspectTokenCommand],
  missing: "run 'tripwire token mint --help' or 'tripwire token inspect FILE'", help: { help })

private let help = HelpText(
  usage: "tripwire token mint|inspect [options]",
  about: "Mints and inspects tokens for Fleet Engine.",
  examples: [
    "tripwire token mint --sign-as app@p.iam.gserviceaccount.com --trip t1": "",
    "tripwire token inspect token.jwt --trip t1": "",
    "tripwire token mint --help": "print the help for a subcommand",
  ],
  sections: [
    HelpText.Section(
      title: HelpText.commands,
      rows: [mintTokenCommand, inspectTokenCommand].map { ($0.name, $0.summary) })
  ], options: [.help])
