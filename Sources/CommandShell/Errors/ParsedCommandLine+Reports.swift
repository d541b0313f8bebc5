package import CommandLine

extension ParsedCommandLine {
  /// Returns the report with the sources of the options at fault.
  package func withSources(_ report: ErrorReport) -> ErrorReport {
    var report = report
    report.sources = sources
    if case .conflict = report.cause, report.options.allSatisfy({ sources[$0]?.isProfile == true }),
      let option = report.options.first, case .profile(let name)? = sources[option]
    {
      report.hint = "remove one of them: tripwire config unset \(option) --profile \(name)"
    }
    return report
  }

  /// Throws unless there is an operand for each of the names, "KEY".
  package func requireOperands(_ names: [String], of command: String) throws(ErrorReport) {
    if operands.count < names.count {
      throw .usage(
        "\(names[operands.count]) is missing",
        hint: "run: tripwire \(command) \(names.joined(separator: " "))")
    }
    if operands.count > names.count {
      let wanted = names.isEmpty ? "no arguments" : names.joined(separator: " ")
      throw .usage(
        "unexpected argument \(escaped(operands[names.count])): \(command) takes \(wanted)",
        hint: names.last == "VALUE" ? "put VALUE in quotes" : nil)
    }
  }
}
