import CommandLine
package import Tripwire
import WireGRPC

/// Completes command lines for shells.
///
/// The scripts of `tripwire completion` run `tripwire __complete WORD…` with the words after `tripwire`,
/// the last of which is incomplete.
package struct Completer {
  /// The hidden command of the scripts.
  package static let command = "__complete"

  /// A possible word, and its description.
  package struct Candidate: Equatable {
    package let word: String
    package var meaning = ""

    package init(word: String, meaning: String = "") {
      self.word = word
      self.meaning = meaning
    }
  }

  /// The word that is being typed, and what is before it.
  package struct Line: Sendable {
    package let current: String
    /// The words after the command, with two dashes before long options.
    package let typed: [String]
    let options: [OptionDescription]
    package let console: Console
  }

  /// The commands of the program.
  package let root: [Command]
  package let console: Console

  package init(root: [Command], console: Console) {
    self.root = root
    self.console = console
  }

  enum Answer: Equatable {
    case words([Candidate])
    /// The shell completes file names.
    case files
    case directories
  }

  /// Returns a line for each candidate, `WORD<tab>DESCRIPTION`; or only `:files` or `:directories`.
  package func answer(_ words: [String]) async -> String {
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
    let options = command.help().options
    let names = options.map(\.long)
    let line = Line(
      current: current, typed: typed.map { LongOptions.withTwoDashes($0, among: names) },
      options: options, console: console)
    return await line.complete(command.operand)
  }

  private func completeHelp(_ command: String?, _ current: String) -> Answer {
    guard let command else { return matching(current, commands(root)) }
    return matching(
      current, commands(root.first { $0.name == command }?.subcommands ?? []))
  }

  private func commands(_ commands: [Command]) -> [Candidate] {
    commands.map { Candidate(word: $0.lastWord, meaning: $0.summary) }
  }
}

private func matching(_ current: String, _ candidates: [Completer.Candidate]) -> Completer.Answer {
  .words(candidates.filter { $0.word.hasPrefix(current) })
}

extension Completer.Line {
  typealias Answer = Completer.Answer
  package typealias Candidate = Completer.Candidate

  fileprivate func complete(_ operand: Operand) async -> Answer {
    let isPastOptions = typed.contains("--")
    if !isPastOptions, let last = typed.last, let option = option(last), option.argument != nil {
      return argument(of: option, current)
    }
    guard !isPastOptions, current.hasPrefix("-") else { return await complete(operand: operand) }
    // A grapheme may join the "=" and a combining character.
    let scalars = current.unicodeScalars
    if current.hasPrefix("--"), let cut = scalars.firstIndex(of: "="),
      let option = option(String(scalars[..<cut])), option.argument != nil
    {
      return argument(of: option, String(scalars[scalars.index(after: cut)...]))
    }
    let others = options.filter { !typed.contains("--" + $0.long) || $0.isRepeatable }
    // "-p" alone may become a short option.
    let dashes = current.hasPrefix("--") || current.utf8.count < 3 ? "--" : "-"
    return matching(
      current, others.map { Candidate(word: dashes + $0.long, meaning: String($0.firstLine)) })
  }

  private func option(_ word: String) -> OptionDescription? {
    options.first { "--" + $0.long == word || $0.short.map { "-\($0)" == word } == true }
  }

  private func argument(of option: OptionDescription, _ current: String) -> Answer {
    if !option.choices.isEmpty {
      return matching(current, option.choices.map { Candidate(word: $0) })
    }
    // The name of the argument says what it is: FILE, [FILE], OUT, DIR.
    let name = option.argument ?? ""
    if option.long == "profile" { return matching(current, profiles) }
    if option.long == "access-token" {
      let words = AccessTokenSource.words.filter { $0.hasPrefix(current) }
      return words.isEmpty ? .files : matching(current, words.map { Candidate(word: $0) })
    }
    if name.mentions("DIR") { return .directories }
    if name.mentions("FILE") || name.mentions("OUT") { return .files }
    return .words([])
  }

  private func complete(operand: Operand) async -> Answer {
    switch operand {
    case .file: .files
    case .choice(let words): matching(current, words.map { Candidate(word: $0) })
    case .profile: matching(current, profiles)
    case .setting: setting
    case .resource: matching(current, Self.names(of: ResourceKind.allCases))
    case .custom(_, let candidates): matching(current, await candidates(self))
    case .other: .words([])
    }
  }

  private var profiles: [Candidate] {
    ConfigFile.profileNames(console.environment).map { Candidate(word: $0) }
  }

  /// The key of a setting, or its value after the key.
  private var setting: Answer {
    let settings = console.settings().all
    guard let option = settings.first(where: { typed.contains($0.long) }) else {
      return matching(
        current, settings.map { Candidate(word: $0.long, meaning: String($0.firstLine)) })
    }
    guard option.argument != nil else {
      return matching(current, ["true", "false"].map { Candidate(word: $0) })
    }
    return argument(of: option, current)
  }

  /// Returns the beginnings of names, which --provider or a profile completes, and of whole names.
  package static func names(of kinds: [ResourceKind], _ others: [Candidate] = []) -> [Candidate] {
    kinds.map { Candidate(word: "\($0.rawValue)/", meaning: "a \($0.noun)") } + others
      + [Candidate(word: "providers/", meaning: "a whole name")]
  }

  /// The words that are neither options nor their arguments.
  package var operands: [String] { LongOptions.operands(in: typed, for: options) }
}
