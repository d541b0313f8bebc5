import CommandLine
import CommandShell
import WireProtobuf

/// - Parameter settings: returns the options that profiles may contain.
func listSettingsCommand(_ settings: @escaping @Sendable () -> ProfileSettings) -> Command {
  .local(
    name: "config list", summary: "show the profiles, or the effective values", ListOptions(),
    ListOptions.all(settings()), help: { help(settings()) },
    run: { (line, options, console) throws(ErrorReport) in
      try line.requireOperands([], of: "config list")
      var (line, options) = (line, options)
      if let option = line.sources.first(where: {
        options.values[$0.key] != nil && $0.value == .option
      }),
        !options.isEffective
      {
        throw ErrorReport(.requirement(of: "--\(option.key)", "--effective"))
      }
      guard options.isEffective else {
        return console.print(try profiles(options.profile, line, console))
      }
      let all = ListOptions.all(settings())
      try line.apply(profile: options.profile, all, into: &options, on: console)
      if let error = line.contradiction(of: all) {
        // Commands refuse such a profile.
        let report = line.withSources(ErrorReport(error))
        console.warn([report.message, report.hint].compactMap(\.self).joined(separator: ": "))
      }
      return console.print(effective(line, options, settings().all))
    })
}

/// The options of `config list`: its own, and those whose effective values it shows.
private struct ListOptions: Sendable {
  var profile: String?
  var isEffective = false
  /// The texts of the values by the long names of the options.
  var values: [String: String] = [:]

  static func all(_ settings: ProfileSettings) -> [Option<ListOptions>] {
    [
      .flag(
        "effective", .common,
        "show each value that a command would use\nAlso shows its source: an option of this command line,"
          + " a variable, a profile or the default.",
        store: { $0.isEffective = true })
    ] + ProfileOption.all.map { $0.inside(\.profile) }
      + settings.all.map { option in
        let copy = Option<ListOptions>.copy(option) {
          $0.values[option.long] = option.argument == nil && $1.isEmpty ? "true" : $1
        }
        return option.long == "output"
          ? copy.described("show FORMAT as the value of --output\nThe list itself is always text.")
          : copy
      }
  }
}

/// Returns a table of each profile, or of the selected one.
private func profiles(
  _ selected: String?, _ line: ParsedCommandLine, _ console: Console
) throws(ErrorReport) -> String {
  if let selection = line.selection(selected) {
    // Throws if it does not exist.
    _ = try ConfigFile.profile(selection, console.environment)
  }
  guard let path = ConfigFile.path(console.environment), let file = try ConfigFile(path) else {
    return ""
  }
  let current = file.config.nameOfCurrentProfile
  if !file.config.currentProfile.isEmpty, file.config.profiles[current] == nil {
    console.warn(
      "\(path): the current profile \(current) does not exist: select another one with"
        + " 'tripwire config use NAME'")
  }
  let names = selected.map { [$0] } ?? file.config.profiles.keys.sorted()
  let tables = try names.map { name throws(ErrorReport) in
    let profile = try Profile(name, file.config.profiles[name] ?? Struct(), in: file)
    let rows = profile.values.sorted { $0.key < $1.key }.map {
      ["  " + escaped($0.key), escaped(Credentials.hidden(in: $0.value, of: $0.key))]
    }
    let mark = name == current ? " (current)" : ""
    return ([escaped(name) + mark] + aligned(rows)).map { $0 + "\n" }.joined()
  }
  return tables.joined(separator: "\n")
}

private func effective(
  _ line: ParsedCommandLine, _ options: ListOptions, _ settings: [OptionDescription]
) -> String {
  var sources = line.sources
  // Used if nothing else provides a token.
  if options.values["access-token"] != nil, TokenOptions.sources.allSatisfy({ sources[$0] == nil })
  {
    sources["access-token"] = .variable(DefaultAccessTokens.variable)
  }
  let rows = settings.sorted { $0.long < $1.long }.map { option in
    let source = sources[option.long]
    // These contain the token or the key itself.
    let isHidden = ["TRIPWIRE_TOKEN", "TRIPWIRE_CREDENTIALS_JSON"].contains {
      source == .variable($0)
    }
    // A profile stores nothing for a flag that is off.
    let value =
      source == nil
      ? option.defaultValue
      : options.values[option.long] ?? (option.argument == nil ? "false" : nil)
    return [
      option.long, source?.text(of: option.long) ?? "default",
      isHidden
        ? "…"
        : value.map { escaped(Credentials.hidden(in: $0, of: option.long)) } ?? TextTable.unset,
    ]
  }
  return aligned(rows).map { $0 + "\n" }.joined()
}

extension OptionDescription {
  /// The default as the help states it; nil if it does not.
  fileprivate var defaultValue: String? {
    let mark = "Default: "
    for line in help.split(separator: "\n") {
      for sentence in line.sentences {
        if let start = sentence.hasPrefix(mark) ? sentence.dropFirst(mark.count) : nil {
          return start.hasSuffix(".") ? String(start.dropLast()) : String(start)
        }
      }
    }
    // "print errors as text (default) or json". The default of --output depends on the command.
    let words = long == "output" ? [] : firstLine.split(separator: " ")
    if let mark = words.firstIndex(where: { $0.hasPrefix("(default)") }), mark > 0 {
      return String(words[mark - 1])
    }
    return argument == nil ? "false" : nil
  }
}

extension Substring {
  /// The parts between ". ". The `split` of a string would link 1.5 MB of regular expressions.
  fileprivate var sentences: [Substring] {
    var sentences: [Substring] = []
    var start = startIndex
    for index in indices where self[index...].hasPrefix(". ") {
      sentences.append(self[start..<index])
      start = self.index(index, offsetBy: 2)
    }
    return sentences + [self[start...]]
  }
}

private func help(_ settings: ProfileSettings) -> HelpText {
  HelpText(
    usage: "tripwire config list [--profile NAME] [--effective [options]]",
    about:
      "Shows the profiles and their settings, or one profile. With --effective, shows for each option"
      + " the value that a command would use, and where it comes from. The"
      + " other options below, except --profile, only change the values that --effective shows; they are not"
      + " stored.",
    examples: [
      "tripwire config list": "",
      "tripwire config list --effective --profile local": "",
      "tripwire config list --effective --endpoint localhost:50051":
        "show what this option changes",
    ], options: ListOptions.all(settings),
    exitCodes: configExitCodes("the file is invalid or unsafe"))
}
