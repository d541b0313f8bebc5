import CommandShell
import DynamicProtobuf

// Names of services, methods and types as a user may type them: without the package where that is clear.

extension Schema {
  /// Returns `TripService/GetTrip` for each method.
  func methods(startedBy current: String) -> [Completer.Candidate] {
    let words = NameWords(services, startedBy: current)
    return candidates(
      services.flatMap { service in
        (pool.service(service)?.methods ?? []).map { "\(words.word(for: service))/\($0.name)" }
      } + words.packages)
  }

  func services(startedBy current: String) -> [Completer.Candidate] {
    let words = NameWords(services, startedBy: current)
    return candidates(services.map(words.word) + words.packages)
  }

  /// Returns the services and types of the source's own files; after a slash, the methods.
  func symbols(startedBy current: String) -> [Completer.Candidate] {
    if current.contains("/") { return methods(startedBy: current) }
    let names =
      (pool.services.map(\.fullName) + pool.messages.map(\.fullName) + pool.enums.map(\.fullName))
      .filter { name in
        files.map { $0.contains(pool[name]?.file(in: pool) ?? "") } ?? true
      }
    let words = NameWords(names, startedBy: current)
    // The packages lead to the names that are not unique.
    let shown = names.map(words.word).filter { current.contains(".") || !$0.contains(".") }
    return candidates((shown + words.packages).sorted())
  }

  private func candidates(_ words: [String]) -> [Completer.Candidate] {
    words.map { Completer.Candidate(word: $0) }
  }
}

/// Full names, and the words that stand for them.
private struct NameWords {
  /// How many full names end in each short one. Empty after a dot, when only full names are meant.
  private let counts: [Substring: Int]
  /// The first parts of the packages, each with a dot: the way to the full names.
  let packages: [String]

  init(_ names: [String], startedBy current: String) {
    guard !current.contains(".") else {
      counts = [:]
      packages = []
      return
    }
    counts = Dictionary(names.map { (Self.short($0), 1) }, uniquingKeysWith: +)
    packages = Set(names.filter { $0.contains(".") }.map { $0.prefix { $0 != "." } + "." })
      .sorted().map(String.init)
  }

  /// Returns the short name if it is unique, or else the full one.
  func word(for name: String) -> String {
    counts[Self.short(name)] == 1 ? String(Self.short(name)) : name
  }

  private static func short(_ name: String) -> Substring {
    name.lastIndex(of: ".").map { name[name.index(after: $0)...] } ?? name[...]
  }
}
