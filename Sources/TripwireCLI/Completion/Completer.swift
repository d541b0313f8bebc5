import DynamicProtobuf
import WireGRPC

/// Completes command lines for shells.
///
/// The scripts of `tripwire completion` run `tripwire __complete WORD…` with the words after `tripwire`,
/// the last of which is incomplete.
struct Completer {
  /// The hidden command of the scripts.
  static let command = "__complete"

  /// A possible word, and its description.
  struct Candidate: Equatable {
    let word: String
    var meaning = ""
  }

  /// The commands of the program.
  var root = Command.all
  /// Returns the names of the profiles.
  var profiles: @Sendable () -> [String] = { [] }

  enum Answer: Equatable {
    case words([Candidate])
    /// The shell completes file names.
    case files
    case directories
  }

  /// Returns a line for each candidate, `WORD<tab>DESCRIPTION`; or only `:files` or `:directories`.
  func answer(_ words: [String]) -> String {
    switch complete(words) {
    case .files: ":files\n"
    case .directories: ":directories\n"
    case .words(let candidates):
      candidates.map { $0.meaning.isEmpty ? "\($0.word)\n" : "\($0.word)\t\($0.meaning)\n" }
        .joined()
    }
  }

  func complete(_ words: [String]) -> Answer {
    guard let current = words.last else { return .words([]) }
    var typed = words.dropLast()
    guard let name = typed.popFirst() else {
      return matching(
        current,
        commands(root) + [Candidate(word: "help", meaning: "print the help for a command")])
    }
    if name == "help" { return completeHelp(typed.first, current) }
    guard var command = Command.named(name, among: root) else { return .words([]) }
    if !command.subcommands.isEmpty {
      guard let word = typed.popFirst() else {
        return matching(current, commands(command.subcommands))
      }
      guard let sub = command.subcommands.first(where: { $0.lastWord == word }) else {
        return .words([])
      }
      command = sub
    }
    return complete(current, after: Array(typed), of: command)
  }

  private func completeHelp(_ command: String?, _ current: String) -> Answer {
    guard let command else { return matching(current, commands(root)) }
    return matching(
      current, commands(root.first { $0.name == command }?.subcommands ?? []))
  }

  private func commands(_ commands: [Command]) -> [Candidate] {
    commands.map { Candidate(word: $0.lastWord, meaning: $0.summary) }
  }

  // MARK: Options and operands

  private func complete(_ current: String, after typed: [String], of command: Command) -> Answer {
    let options = command.help().options
    let names = options.map(\.long)
    let typed = typed.map { LongOptions.withTwoDashes($0, among: names) }
    let isPastOptions = typed.contains("--")
    if !isPastOptions, let last = typed.last, let option = option(last, among: options),
      option.argument != nil
    {
      return argument(of: option, current, typed)
    }
    guard !isPastOptions, current.hasPrefix("-") else {
      return operand(command.operand, current, typed, options)
    }
    // A grapheme may join the "=" and a combining character.
    let scalars = current.unicodeScalars
    if current.hasPrefix("--"), let cut = scalars.firstIndex(of: "="),
      let option = option(String(scalars[..<cut]), among: options), option.argument != nil
    {
      return argument(of: option, String(scalars[scalars.index(after: cut)...]), typed)
    }
    let others = options.filter { !typed.contains("--" + $0.long) || isRepeatable($0) }
    // "-p" alone may become a short option.
    let dashes = current.hasPrefix("--") || current.utf8.count < 3 ? "--" : "-"
    return matching(
      current, others.map { Candidate(word: dashes + $0.long, meaning: String($0.firstLine)) })
  }

  func option(_ word: String, among options: [OptionDescription]) -> OptionDescription? {
    options.first { "--" + $0.long == word || $0.short.map { "-\($0)" == word } == true }
  }

  private func isRepeatable(_ option: OptionDescription) -> Bool {
    option.firstLine.hasSuffix("(repeatable)")
  }

  private func argument(
    of option: OptionDescription, _ current: String, _ typed: [String]
  ) -> Answer {
    if !option.choices.isEmpty {
      return matching(current, option.choices.map { Candidate(word: $0) })
    }
    // The name of the argument says what it is: FILE, [FILE], DIR.
    let name = option.argument ?? ""
    if option.long == "profile" { return operand(.profile, current, typed, []) }
    if name.mentions("DIR") { return .directories }
    if name.mentions("FILE") { return .files }
    return .words([])
  }

  private func operand(
    _ operand: Operand, _ current: String, _ typed: [String], _ options: [OptionDescription]
  ) -> Answer {
    switch operand {
    case .file: .files
    case .choice(let words): matching(current, words.map { Candidate(word: $0) })
    case .method: matching(current, schema(typed).map { methods(of: $0, current) } ?? [])
    case .service: matching(current, (schema(typed)?.services ?? []).map { Candidate(word: $0) })
    case .symbol: matching(current, schema(typed).map { symbols(of: $0) } ?? [])
    case .profile: matching(current, profiles().map { Candidate(word: $0) })
    case .setting: setting(current, typed)
    case .change(let verb): matching(current, change(verb, current, typed, options))
    case .resource: matching(current, resources)
    case .other: .words([])
    }
  }

  /// The key of a setting, or its value after the key.
  private func setting(_ current: String, _ typed: [String]) -> Answer {
    guard let option = ProfileKeys.all.first(where: { typed.contains($0.long) }) else {
      return matching(
        current,
        ProfileKeys.all.map { Candidate(word: $0.long, meaning: String($0.firstLine)) })
    }
    guard option.argument != nil else {
      return matching(current, ["true", "false"].map { Candidate(word: $0) })
    }
    return argument(of: option, current, typed)
  }

  private func matching(_ current: String, _ candidates: [Candidate]) -> Answer {
    .words(candidates.filter { $0.word.hasPrefix(current) })
  }

  // MARK: Names of the schema

  /// The types in the files of `--protoset`, or else the built-in ones; nil if a file is invalid.
  private func schema(_ typed: [String]) -> Schema? {
    let files =
      zip(typed, typed.dropFirst()).filter { $0.0 == "--protoset" }.map(\.1)
      + typed.filter { $0.hasPrefix("--protoset=") }.map { String($0.dropFirst(11)) }
    // A pipe may have no writer, which must not block the shell.
    guard files.allSatisfy(ProgramFile.isRegular) else { return nil }
    return try? files.isEmpty ? EmbeddedSchema.schema() : Schema(protosets: files)
  }

  /// `TripService/GetTrip`, or with the package if the service is ambiguous or the user typed a dot.
  private func methods(of schema: Schema, _ current: String) -> [Candidate] {
    let services = schema.pool.services.filter { schema.services.contains($0.fullName) }
    return services.flatMap { service in
      let short = service.fullName.split(separator: ".").last.map(String.init) ?? service.fullName
      let isUnique = services.filter { $0.fullName.hasSuffix("." + short) }.count == 1
      let name = isUnique && !current.contains(".") ? short : service.fullName
      return service.methods.map { Candidate(word: "\(name)/\($0.name)") }
    }
  }

  private func symbols(of schema: Schema) -> [Candidate] {
    let pool = schema.pool
    return
      (pool.services.map(\.fullName) + pool.messages.map(\.fullName) + pool.enums.map(\.fullName))
      .sorted().map { Candidate(word: $0) }
  }
}
