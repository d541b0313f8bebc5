import CommandCalls
package import CommandLine
package import CommandShell
import DynamicProtobuf
import ProtobufDescriptors
import Tripwire

/// The options of `tripwire describe`.
package struct SchemaCommandOptions: ServerCommandOptions {
  package var server = ServerOptions()
  var schema = SchemaOptions()
  var output = OutputFormat.text
  /// The path of the FileDescriptorSet to write.
  var protosetOut: String?
  /// The folder of the .proto files to write.
  var protoOutDir: String?

  package init() {}

  package var warnings: [String] { server.tls.warnings + schema.protos.warnings }

  enum OutputFormat {
    case text
    case json
    /// The JSON of a message with all its fields.
    case template
  }

  package static let all: [Option<SchemaCommandOptions>] =
    [
      .value(
        "output", short: "o", "FORMAT", .common,
        "print text (default), json or template\ntemplate is a JSON request with every"
          + " field, and one member of each oneof, to edit and pass to -d.",
        choice: Choice([("text", OutputFormat.text), ("json", .json), ("template", .template)]),
        store: { $0.output = $1 }
      ).inProfiles(),
      .value(
        "protoset-out", "FILE", .common,
        "write the types and their imports to FILE\nFILE is a FileDescriptorSet, for --protoset.",
        parse: Parse.text, store: { $0.protosetOut = $1 }
      ).writing(),
      .value(
        "proto-out-dir", "DIR", .common,
        "write the types and their imports as .proto files\nCreates DIR if it is missing. Replaces .proto"
          + " files with the same names.",
        parse: Parse.text, store: { $0.protoOutDir = $1 }),
    ] + SchemaOptions.all.map { $0.inside(\.schema) }
    + ServerOptions.all.filter { !ConnectionOptions.namesOfReplay.contains($0.long) }
    .map { $0.inside(\.server) }
}

/// The options of `tripwire list`, which has no templates and writes no files.
private struct ListCommandOptions: ServerCommandOptions {
  var schema = SchemaCommandOptions()
  var server: ServerOptions {
    get { schema.server }
    set { schema.server = newValue }
  }
  var warnings: [String] { schema.warnings }

  static let all: [Option<ListCommandOptions>] =
    [
      .value(
        "output", short: "o", "FORMAT", .common, "print text (default) or json",
        choice: Choice([("text", SchemaCommandOptions.OutputFormat.text), ("json", .json)]),
        store: { $0.schema.output = $1 }
      ).inProfiles()
    ]
    + SchemaCommandOptions.all.filter { !describeOnly.contains($0.long) }.map {
      $0.inside(\.schema)
    }

  private static let describeOnly = ["output", "protoset-out", "proto-out-dir"]
}

package let listCommand = Command.calling(
  name: "list", summary: "list services, or the methods of one", operand: .service,
  takesServer: true,
  help: { help },
  request: { (line, options: ListCommandOptions) throws(UsageError) in
    try SchemaCommand(line, options.schema, operands: "list takes one SERVICE")
  },
  run: { (command, console) throws(ErrorReport) in
    console.print(
      try await command.withSource(console) { source throws(ErrorReport) in
        try await command.list(source)
      })
  })

/// A command that shows services and types. Its optional operand names a symbol.
struct SchemaCommand: Sendable {
  let symbol: String?
  let options: SchemaCommandOptions

  /// - Parameter operands: the operands that the command takes, for errors: "list takes one SERVICE".
  init(
    _ line: ParsedCommandLine, _ options: SchemaCommandOptions, operands: String
  ) throws(UsageError) {
    let names = line.operands
    if let server = names.first(where: { $0.contains(":") }) {
      throw UsageError(
        message: "\(escaped(server)) is not the name of a service or type",
        hint: UsageError.hint(forServer: server))
    }
    if names.first?.isEmpty ?? false {
      throw UsageError(message: "'' is not the name of a service or type")
    }
    if let error = options.schema.contradiction(
      withStandardInputFor: options.server.standardInput)
    {
      throw error
    }
    guard names.count < 2 else {
      throw UsageError(message: "unexpected argument \(escaped(names[1])): \(operands)")
    }
    symbol = names.first
    self.options = options
  }

  func withSource(
    _ console: Console,
    _ body: @escaping @Sendable (SchemaSource) async throws(ErrorReport) -> String
  ) async throws(ErrorReport) -> String {
    let start = ContinuousClock.now
    let given = try await options.schema.loaded(
      until: options.server.request.timeout.map { start + $0 })
    return try await options.server.withServer(console, on: console.loop, since: start) {
      (server) async throws(ErrorReport) -> String in
      let channel = try server.channel()
      return try await body(
        SchemaSource(
          given, options.server, server, channel, isForCall: false, warn: console.warn))
    }
  }

  /// Returns the services, or the methods of the named one.
  fileprivate func list(_ source: SchemaSource) async throws(ErrorReport) -> String {
    guard let symbol else {
      let services = try await source.services()
      return options.output == .json ? jsonArray(services) { $0.put(string: $1) } : lines(services)
    }
    let (schema, service) = try await source.schema(for: [symbol], of: symbol) {
      schema throws(ErrorReport) -> ServiceDescriptor? in
      let names = schema.symbols(named: symbol).filter { schema.pool.service($0) != nil }
      guard names.count < 2 else { throw ambiguous(symbol, names) }
      return names.first.flatMap(schema.pool.service)
    }
    guard let service else {
      let name = symbol.split(separator: "/").joined(separator: ".")
      let other =
        schema.symbols(named: name).first ?? schema.members(named: name).first
        ?? PackageContents(name, in: schema.pool)?.name
      if let other {
        throw .usage(
          "\(escaped(symbol)) is not a service", hint: lookup(schema).describe(other, to: "show it")
        )
      }
      throw missing(symbol, from: schema, onlyServices: true)
    }
    let methods = service.methods
    guard options.output == .json else { return lines(methods.map { String($0.path.dropFirst()) }) }
    return jsonArray(methods) { json, method in
      json.object { json in
        json.member("name", String(method.path.dropFirst()))
        json.member("request", method.input.fullName)
        json.member("response", method.output.fullName)
        json.member("clientStreaming", method.streamsRequests)
        json.member("serverStreaming", method.streamsResponses)
      }
    }
  }

  private func lines(_ names: [String]) -> String { names.map { $0 + "\n" }.joined() }

  private func jsonArray<Value>(
    _ values: [Value], _ write: (inout JSONWriter, Value) -> Void
  ) -> String {
    escapedJSON(JSONWriter.text { $0.array(values, write) }) + "\n"
  }

  // MARK: Faults

  private func lookup(_ schema: Schema) -> SymbolLookup {
    SymbolLookup(schema.origin, options.schema, options.server)
  }

  func ambiguous(_ symbol: String, _ names: [String]) -> ErrorReport {
    .usage("\(escaped(symbol)) is ambiguous", excerpt: names, hint: "use one of these names")
  }

  func missing(
    _ symbol: String, from schema: Schema, onlyServices: Bool
  ) -> ErrorReport {
    let name = symbol.split(separator: "/").joined(separator: ".")
    let end = name.lastIndex(of: ".")
    let parent = end.map { String(name[..<$0]) }
    if let service = [name, parent].compactMap({ $0 }).compactMap(schema.undescribedService).first {
      return ErrorReport(
        UsageError(undescribed: service, "", in: schema.origin))
    }
    let wanted = end.map { String(name[name.index(after: $0)...]) } ?? name
    if let parent = parent.flatMap({ schema.symbols(named: $0).first }),
      let members = schema.pool[parent]?.memberNames
    {
      return .usage(
        "\(parent) has no member \(escaped(wanted))",
        hint: nearest(to: wanted, among: members).map { "did you mean \(parent).\($0)?" }
          ?? lookup(schema).describe(parent, to: "list its members"))
    }
    let services = schema.pool.services.map { (name: $0.proto.name ?? "", value: $0.fullName) }
    let types =
      schema.pool.messages.map { (name: $0.proto.name ?? "", value: $0.fullName) }
      + schema.pool.enums.map { (name: $0.proto.name ?? "", value: $0.fullName) }
    let methods = schema.pool.services.flatMap { service in
      service.methods.map { (name: $0.name, value: "\(service.fullName).\($0.name)") }
    }
    let methodGuess = parent.flatMap { parent -> String? in
      let service = parent.split(separator: ".").last.map(String.init) ?? parent
      let named = methods.filter { $0.name.lowercased() == wanted.lowercased() }.map {
        (name: String($0.value.split(separator: ".").dropLast().last ?? ""), value: $0.value)
      }
      return nearest(to: service, among: named) ?? named.first?.value
    }
    let all = onlyServices ? services : services + types + (parent == nil ? methods : [])
    let guess = (onlyServices ? nil : methodGuess) ?? nearest(to: wanted, among: all)
    return .usage(
      "\(escaped(symbol)) was not found in \(schema.origin)",
      hint: guess.map { "did you mean \($0)?" }
        ?? schema.origin.hint(options.server, lookup(schema)))
  }
}

private let help = HelpText(
  usage: "tripwire list [HOST:PORT] [SERVICE] [options]",
  about:
    "Lists services, or the methods of SERVICE. With --protoset or --proto, names are looked up in"
    + " these files and then among the built-in descriptors. Without these options, a full name that is"
    + " built in always means the built-in symbol. Other names are looked up by server reflection if --endpoint is given, and then among the"
    + " built-in descriptors. Without SERVICE, tripwire lists the services of the files or of the"
    + " server, or the built-in services if neither is given or if the server of a profile"
    + " or of TRIPWIRE_ENDPOINT has no reflection. HOST:PORT is the same as --endpoint HOST:PORT."
    + " 'tripwire ls' is a short form.",
  examples: [
    "tripwire list": "list the built-in services",
    "tripwire list TripService": "list the methods, as 'tripwire call' takes them",
    "tripwire list localhost:50051 --plaintext": "list the services of a server",
  ], options: ListCommandOptions.all, exitCodes: ExitCode.table)
