import CommandLine
package import CommandShell
import DynamicProtobuf
import Tripwire
import WireSystem

extension Completer.Line {
  /// The longest wait for the server after the tab key.
  private static let limit = Duration.seconds(2)

  /// Asks the server of the command line for its types. Nil if the words name no server, or the server does not
  /// return them in time.
  private func serverSchema() async -> Schema? {
    var (line, options) = CallCommandOptions.parsed(
      typed, takesServer: true, environment: console.environment)
    guard
      (try? line.apply(
        profile: options.server.profile, CallCommandOptions.all, into: &options, on: console))
        != nil
    else { return nil }
    var server = options.server
    server.sources = line.sources
    // Fleet Engine has no reflection.
    guard let endpoint = server.connection.endpoint, endpoint != FleetServices.defaultEndpoint,
      server.connection.replay == nil, server.contradiction == nil,
      line.contradiction(of: CallCommandOptions.all) == nil, server.token.isOnlyFile
    else { return nil }
    server.request.timeout = min(server.request.timeout ?? Self.limit, Self.limit)
    // Nothing else than the candidates may be written.
    server.record = RecordOptions()
    server.output = OutputOptions()
    server.tls.keyLogFile = nil
    server.token.usesDefault = false
    guard await server.cleartextTokenError() == nil else { return nil }
    var console = console
    console.error = { _ in }
    return try? await server.withServer(console, on: console.loop) {
      [server] (target) async throws(ErrorReport) -> Schema in
      try await SchemaSource(
        nil, server, target, try target.channel(), isForCall: false, warn: { _ in }
      ).everything()
    }
  }
}

extension TokenOptions {
  /// Whether the token comes from a file or a variable: neither a program nor a pipe must run or wait
  /// because of the tab key.
  fileprivate var isOnlyFile: Bool {
    switch source {
    case .file(let path), .credentials(let path): ProgramFile.isRegular(path)
    case .variable(let value):
      value != "-" && (!LocalFile.exists(value) || ProgramFile.isRegular(value))
    case let source: source?.isLocal ?? true
    }
  }
}

extension Operand {
  package static let method = Operand.custom(placeholder: "METHOD") { line in
    await line.schema.map { $0.methods(startedBy: line.current) } ?? []
  }
  package static let service = Operand.custom(placeholder: nil) { line in
    await line.schema.map { $0.services(startedBy: line.current) } ?? []
  }
  package static let symbol = Operand.custom(placeholder: nil) { line in
    await line.schema.map { $0.symbols(startedBy: line.current) } ?? []
  }
}

extension Completer.Line {
  /// Returns the types in the files of `--protoset`, or those of the server, or else the built-in ones; nil if
  /// a file is invalid.
  fileprivate var schema: Schema? {
    get async {
      let files =
        zip(typed, typed.dropFirst()).filter { $0.0 == "--protoset" }.map(\.1)
        + typed.filter { $0.hasPrefix("--protoset=") }.map { String($0.dropFirst(11)) }
      // A pipe may have no writer, which must not block the shell.
      guard files.allSatisfy(ProgramFile.isRegular) else { return nil }
      if !files.isEmpty { return try? Schema(protosets: files) }
      if let schema = await serverSchema() { return schema }
      return try? EmbeddedSchema.schema()
    }
  }
}

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
    let names = names.filter { name in
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
