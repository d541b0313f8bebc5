import CommandLine

extension ParsedCommandLine {
  /// Returns the report with the sources of the options at fault.
  func withSources(_ report: ErrorReport) -> ErrorReport {
    var report = report
    report.sources = sources
    if case .conflict = report.cause, report.options.allSatisfy({ sources[$0]?.isProfile == true }),
      let option = report.options.first, case .profile(let name)? = sources[option]
    {
      report.hint = "remove one of them: tripwire config unset \(option) --profile \(name)"
    }
    return report
  }
}
