package import CommandLine

/// What the options of a command say about stderr and the profile.
package struct ShellOptions: Sendable {
  package var output = OutputOptions()
  /// Whether profiles may hold options of the command.
  package var usesProfiles = false
  /// The name of the selected profile; nil for the current one.
  package var profile: String?
  /// Whether the command may run for hours, so that its warnings are written at once.
  var isLongRunning = false

  package init(
    output: OutputOptions = OutputOptions(), usesProfiles: Bool = false, profile: String? = nil,
    isLongRunning: Bool = false
  ) {
    self.output = output
    self.usesProfiles = usesProfiles
    self.profile = profile
    self.isLongRunning = isLongRunning
  }
}

extension Command {
  /// A command with options. All others are made of it.
  ///
  /// - Parameter all: the options. Only their own command creates them: that of 'config list' needs all tables.
  static func parsing<Options: Sendable>(
    name: String, summary: String, operand: Operand, help: @escaping @Sendable () -> HelpText,
    _ all: @autoclosure @escaping @Sendable () -> [Option<Options>],
    read:
      @escaping @Sendable ([String], [Option<Options>], Console) -> (ParsedCommandLine, Options),
    shell: @escaping @Sendable (Options) -> ShellOptions,
    run:
      @escaping @Sendable (ParsedCommandLine, Options, Console) async throws(ErrorReport)
      -> ExitCode
  ) -> Command {
    Command(name: name, summary: summary, operand: operand, help: help) { (arguments, console) in
      let all = all()
      var (line, options) = read(arguments, all, console)
      if let form = line.help { return console.print(help(), form, of: name) }
      if shell(options).output.wantsVersion { return console.print(BuildVersion().text) }
      var console = console
      do throws(ErrorReport) {
        if line.error == nil, shell(options).usesProfiles {
          try line.apply(
            profile: shell(options).profile, all, into: &options, on: console)
        }
        console.adopt(shell(options), note: line.note)
        if let error = line.error ?? line.contradiction(of: all) { throw ErrorReport(error) }
        let files =
          switch operand {
          case .file: line.operands
          case .resource:
            line.operands.filter { $0.hasPrefix("@") }.map { String($0.dropFirst()) }
          default: [String]()
          }
        if let error = line.outputConflict(reading: files) { throw ErrorReport(error) }
        let code = try await run(line, options, console)
        console.writePendingWarnings()
        return code
      } catch {
        if error.isSilent {
          console.writePendingWarnings()
          return error.exitCode
        }
        var report = line.withSources(error)
        report.warnings = console.jsonWarnings?.take() ?? []
        return console.report(report, as: shell(options).output.errorFormat, of: name)
      }
    }
  }

  /// A command that makes no calls.
  package static func local<Options: Sendable>(
    name: String, summary: String, _ initial: Options,
    _ all: @autoclosure @escaping @Sendable () -> [Option<Options>], operand: Operand = .other,
    shell: @escaping @Sendable (Options) -> ShellOptions = { _ in ShellOptions() },
    help: @escaping @Sendable () -> HelpText,
    run:
      @escaping @Sendable (ParsedCommandLine, Options, Console) async throws(ErrorReport)
      -> ExitCode
  ) -> Command {
    parsing(
      name: name, summary: summary, operand: operand, help: help, all(),
      read: { (arguments, all, console) in
        var options = initial
        let line = parse(arguments, all, into: &options, environment: console.environment)
        return (line, options)
      }, shell: shell, run: run)
  }
}

extension Console {
  fileprivate mutating func adopt(_ shell: ShellOptions, note: String?) {
    isQuiet = shell.output.isQuiet
    color = shell.output.color
    if shell.output.isVerbose, let note { error("* \(escaped(note))\n") }
    if shell.output.errorFormat == .json {
      jsonWarnings = JSONWarnings(isImmediate: shell.isLongRunning)
    }
  }
}
