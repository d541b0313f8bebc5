import CommandLine
import CommandShell

private let shells = Shell.allCases.map(\.rawValue)

let completionCommand = Command.local(
  name: "completion", summary: "print a script that completes commands in a shell",
  CompletionOptions(), [], operand: .choice(shells), help: { help },
  run: { (line, _, console) throws(ErrorReport) in
    guard let word = line.operands.first else {
      throw .usage("SHELL is missing", hint: "pass one of \(shells.joined(separator: ", "))")
    }
    guard line.operands.count == 1 else {
      throw .usage(
        "unexpected argument \(escaped(line.operands[1])): completion takes one SHELL")
    }
    guard let shell = Shell(rawValue: word) else {
      throw .usage(
        "SHELL: \(shown(word)) is not supported",
        hint: "pass one of \(shells.joined(separator: ", "))")
    }
    return console.print(shell.script)
  })

private struct CompletionOptions: Sendable {}

/// The shells that can complete tripwire's command lines.
enum Shell: String, CaseIterable {
  case bash
  case zsh
  case fish
}

private let help =
  HelpText(
    usage: "tripwire completion SHELL",
    about: "Prints a script that completes the commands, options, arguments, files, services and"
      + " methods of tripwire. After call, list and describe with a server, the server's services, methods and"
      + " types are completed by reflection, if it answers within 2 s. The tab key never runs --token-command."
      + " SHELL is bash, zsh or fish. 'make install' installs these scripts.",
    examples: [
      "source <(tripwire completion bash)": "complete in this shell",
      "tripwire completion zsh > ~/.zfunc/_tripwire":
        "complete in each zsh whose fpath contains ~/.zfunc",
      "tripwire completion fish > ~/.config/fish/completions/tripwire.fish":
        "complete in each fish",
    ], options: [Option<CompletionOptions>](),
    exitCodes: [("0", "the script is on stdout"), ("2", "invalid command line")])
