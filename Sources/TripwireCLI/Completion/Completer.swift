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
  /// Returns the types of the server that a command line calls; nil if it names none, or the server does not
  /// return them.
  var serverSchema: @Sendable (_ typed: [String]) async -> Schema? = { _ in nil }

  enum Answer: Equatable {
    case words([Candidate])
    /// The shell completes file names.
    case files
    case directories
  }

  /// Returns a line for each candidate, `WORD<tab>DESCRIPTION`; or only `:files` or `:directories`.
  func answer(_ words: [String]) async -> String {
    switch await complete(words) {
    case .files: ":files\n"
    case .directories: ":directories\n"
    case .words(let candidates):
      candidates.map { $0.meaning.isEmpty ? "\($0.word)\n" : "\($0.word)\t\($0.meaning)\n" }
        .joined()
    }
  }

  func complete(_ words: [String]) async -> Answer {
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
    return await complete(current, after: Array(typed), of: command)
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

  private func complete(
    _ current: String, after typed: [String], of command: Command
  ) async -> Answer {
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
      return await operand(command.operand, current, typed, options)
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
    // The name of the argument says what it is: FILE, [FILE], OUT, DIR.
    let name = option.argument ?? ""
    if option.long == "profile" { return profile(current) }
    if name.mentions("DIR") { return .directories }
    if name.mentions("FILE") || name.mentions("OUT") { return .files }
    return .words([])
  }

  private func operand(
    _ operand: Operand, _ current: String, _ typed: [String], _ options: [OptionDescription]
  ) async -> Answer {
    switch operand {
    case .file: .files
    case .choice(let words): matching(current, words.map { Candidate(word: $0) })
    case .method:
      matching(current, await schema(typed).map { $0.methods(startedBy: current) } ?? [])
    case .service:
      matching(current, await schema(typed).map { $0.services(startedBy: current) } ?? [])
    case .symbol:
      matching(current, await schema(typed).map { $0.symbols(startedBy: current) } ?? [])
    case .profile: profile(current)
    case .setting: setting(current, typed)
    case .change(let verb): matching(current, change(verb, current, typed, options))
    case .resource: matching(current, resources)
    case .other: .words([])
    }
  }

  private func profile(_ current: String) -> Answer {
    matching(current, profiles().map { Candidate(word: $0) })
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
}
