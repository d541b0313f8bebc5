import CommandShell
import FleetCommands
import Tripwire

extension GeneratedArticle {
  static var exitCodes: GeneratedArticle {
    GeneratedArticle(
      name: "ExitCodes",
      text: """
        # Exit codes

        Find out in a script why a command failed.

        ## Overview

        A call that fails ends the command with 64 + the number of its gRPC status, as in grpcurl.
        \(ExitCode.withoutConnection). In `doctor` it is 78 in both cases.

        \(table(["exit code", "meaning"], rows))
        ## A call without a token

        If there is no token for a call, the call is not sent. The exit code is that of the cause. It is the same for
        each source of tokens, in each command, and whether the cause is found before the first call or later.

        \(table(["cause", "exit code"], tokenRows))
        If the server that is called refuses the token, the exit code is that of its status, usually 80 or 71.

        For the conditions of `follow` and `map`, see <doc:CommandFollow>. The help of each command lists its codes.
        For example, `tripwire token inspect` exits with 1 if a check fails. <doc:Troubleshooting> lists the causes of errors.

        """)
  }

  private static let tokenRows = [
    [
      "It is on this machine: there are no credentials, a file cannot be read, or credentials or a setting cannot be used.",
      "1",
    ],
    [
      "A server or a program was asked for the token, and gave none. For example, a login has expired, an account may not"
        + " have tokens signed, or a program failed or is not installed.", "80",
    ],
    ["The server that was asked cannot be reached, or is overloaded.", "78"],
    ["The deadline passed first.", "68"],
  ]

  private static var rows: [[String]] {
    ExitCode.table.flatMap { row in
      row.term == ExitCode.callTerm ? calls : [[row.term, optionsAsCode(row.meaning)]]
    }
  }

  /// The codes of `follow` and `log`, and of failed calls.
  private static var calls: [[String]] {
    FollowRequest.exitCodes.filter { ["3", "4"].contains($0.term) }.map {
      [
        $0.term,
        "`follow` and `map`\($0.meaning.hasPrefix("with ") ? " " : ": ")\(optionsAsCode($0.meaning))",
      ]
    }
      + [["5", "`log` with `--fail-on`: the condition holds"]]
      + (1...16).map {
        ["\(ExitCode.call($0).rawValue)", ExitCode.callFailed + "\(StatusCode(rawValue: $0))"]
      }
  }

  /// Marks the options in a text, because DocC replaces two hyphens in prose with a dash.
  private static func optionsAsCode(_ text: String) -> String {
    var words: [String] = []
    for word in text.split(separator: " ") {
      let option = word.prefix { $0 == "-" || $0.isLetter }
      let rest = word.dropFirst(option.count)
      if option == "canceled", words.last == "`--until`" {
        words[words.count - 1] = "`--until canceled`\(rest)"
      } else {
        words.append(option.hasPrefix("--") ? "`\(option)`\(rest)" : String(word))
      }
    }
    return words.joined(separator: " ")
  }
}
