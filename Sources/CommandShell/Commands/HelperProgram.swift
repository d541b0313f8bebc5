import CommandLine
import WireSystem

/// Programs that carry out commands: `tripwire relay` runs `tripwire-relay`.
package enum HelperProgram {
  package static let relayHint =
    "install the package tripwire-fleet-relay, or run make install-relay in the source of tripwire"

  /// The command `tripwire relay`, which runs `tripwire-relay`.
  package static let relay = Command(
    name: relayName, summary: relaySummary, operand: .choice(relaySubcommands),
    help: { relayHelp },
    run: { (arguments, console) in
      let failure = run(relayName, arguments, path: console.environment("PATH"))
      let report =
        failure
        ?? ErrorReport(
          local: "'tripwire relay' needs the program tripwire-relay, which is not installed",
          hint: relayHint)
      return console.report(report, as: .text)
    })

  /// Runs the helper of a command in place of this process. Returns an error if it cannot be started;
  /// nil if there is none.
  package static func run(_ name: String, _ arguments: [String], path: String?) -> ErrorReport? {
    guard isName(name) else { return nil }
    var errors: [ErrorReport] = []
    for file in candidates("tripwire-\(name)", path: path) where ProgramFile.isRegular(file) {
      let message = "'tripwire \(name)' cannot run \(escaped(file)): "
      guard access(file, X_OK) == 0 else {
        errors.append(
          ErrorReport(
            local: message + "it is not executable", hint: "run: chmod +x \(shellWord(file))"))
        continue
      }
      let reason = ProgramFile.replaceProcess(file, arguments)
      errors.append(ErrorReport(local: message + String(cString: strerror(reason))))
    }
    return errors.first
  }

  /// Returns the file of a helper that runs beside this process.
  ///
  /// - Parameter user: the option that needs it.
  package static func file(
    _ program: String, user: String, path: String?, hint: String
  ) throws(ErrorReport) -> String {
    let files = candidates(program, path: path).filter(ProgramFile.isRegular)
    if let file = files.first(where: { access($0, X_OK) == 0 }) { return file }
    guard let file = files.first else {
      throw ErrorReport(
        local: "\(user) needs the program \(program), which is not installed", hint: hint)
    }
    throw ErrorReport(
      local: "\(user) cannot run \(escaped(file)): it is not executable",
      hint: "run: chmod +x \(shellWord(file))")
  }

  /// Beside the running program first, then on the PATH.
  private static func candidates(_ program: String, path: String?) -> [String] {
    // An empty entry of PATH means the working directory, which may have anybody's program.
    let searched = (path ?? "").split(separator: ":").map(String.init)
    return ([ExecutablePath.directory].compactMap { $0 } + searched).map { "\($0)/\(program)" }
  }

  private static func isName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 64
      && name.utf8.allSatisfy { byte in
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
          || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: "-")
      } && name.utf8.first != UInt8(ascii: "-")
  }
}
