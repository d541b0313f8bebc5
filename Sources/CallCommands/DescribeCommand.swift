import CommandCalls
import CommandLine
package import CommandShell
import DynamicProtobuf
import ProtobufDescriptors
import Tripwire

package let describeCommand = Command.calling(
  name: "describe", summary: "show a service, method or type in .proto syntax",
  operand: .symbol, takesServer: true, help: { help },
  request: { (line, options: SchemaCommandOptions) throws(UsageError) in
    try SchemaCommand(line, options, operands: "describe takes one SYMBOL")
  },
  run: { (command, console) throws(ErrorReport) in
    console.print(
      try await command.withSource(console) { source throws(ErrorReport) in
        try await command.describe(source)
      })
  })

extension SchemaCommand {
  /// Returns the description of the named symbol, or of all services.
  fileprivate func describe(_ source: SchemaSource) async throws(ErrorReport) -> String {
    guard let symbol else {
      let schema = try await source.everything()
      return try write(schema.services, in: schema, after: text(of: schema.services, in: schema))
    }
    // A method may be named as SERVICE/METHOD.
    let name = symbol.split(separator: "/").joined(separator: ".")
    let before = name.lastIndex(of: ".").map { String(name[..<$0]) }
    let (schema, found) = try await source.schema(
      for: [name] + [before].compactMap { $0 }, of: symbol
    ) {
      schema throws(ErrorReport) -> Described? in
      let names = schema.symbols(named: name)
      guard names.count < 2 else { throw ambiguous(symbol, names) }
      if let name = names.first { return .symbol(name) }
      let members = schema.members(named: name)
      guard members.count < 2 else { throw ambiguous(symbol, members) }
      if let name = members.first { return .symbol(name) }
      return PackageContents(name, in: schema.pool).map { .package($0) }
    }
    switch found {
    case .symbol(let name):
      return try write([name], in: schema, after: text(of: [name], in: schema))
    case .package(let package):
      let text =
        switch options.output {
        case .text: package.text
        case .json: package.json
        case .template: throw Self.noTemplate
        }
      return try write(package.symbols, in: schema, after: text)
    case nil: throw missing(symbol, from: schema, onlyServices: false)
    }
  }

  /// Writes the files of the options, and returns the text.
  ///
  /// - Parameters:
  ///   - names: the described symbols.
  ///   - text: if it cannot be made, no file is written.
  private func write(
    _ names: [String], in schema: Schema, after text: String
  ) throws(ErrorReport) -> String {
    guard options.protosetOut != nil || options.protoOutDir != nil else { return text }
    let files = SchemaFiles(declaring: names, in: schema, from: options.schema.protos)
    if let path = options.protosetOut { try files.writeProtoset(to: path) }
    if let folder = options.protoOutDir { try files.writeProtos(to: folder) }
    return text
  }

  private enum Described {
    /// The full name of a symbol.
    case symbol(String)
    case package(PackageContents)
  }

  private static let noTemplate = ErrorReport.usage(
    "-o template requires a message or a method",
    hint: "pass one: tripwire describe SearchTrips -o template")

  private func text(of names: [String], in schema: Schema) throws(ErrorReport) -> String {
    let symbols = names.compactMap { name in schema.pool[name].map { (name, $0) } }
    if options.output == .template, symbols.count != 1 || symbols.first?.1.input == nil {
      throw Self.noTemplate
    }
    do throws(JSONEncodingError) {
      switch options.output {
      case .text:
        return symbols.map { name, symbol in
          "// \(name), \(escaped(symbol.file(in: schema.pool)))\n"
            + ProtoText.text(of: symbol, in: schema.pool)
        }.joined(separator: "\n")
      case .json:
        return try symbols.map { symbol throws(JSONEncodingError) in
          escapedJSON(try symbol.1.json(in: schema.pool)) + "\n"
        }.joined()
      case .template:
        return escapedJSON(try template(of: symbols.first?.1.input, in: schema.pool))
      }
    } catch {
      throw ErrorReport(local: "the descriptor cannot be written as JSON: \(error)")
    }
  }

  /// Returns the JSON of a message with all its fields; "" without a message.
  private func template(
    of type: MessageDescriptor?, in pool: DescriptorPool
  ) throws(JSONEncodingError) -> String {
    guard let type else { return "" }
    return try DynamicMessage.template(type, in: pool).jsonString(
      options: DynamicJSONOptions(pretty: true, emitsDefaults: true)) + "\n"
  }
}

extension DescriptorPool.Symbol {
  /// The message itself, or the request message of a method.
  fileprivate var input: MessageDescriptor? {
    switch self {
    case .message(let message): message
    case .method(let method, of: _): method.input
    default: nil
    }
  }

  /// Returns the descriptor as the JSON of a message of descriptor.proto, with custom options.
  fileprivate func json(in pool: DescriptorPool) throws(JSONEncodingError) -> String {
    switch self {
    case .message(let message): try pool.json(of: message.proto)
    case .enum(let `enum`): try pool.json(of: `enum`.proto)
    case .service(let service): try pool.json(of: service.proto)
    case .method(let method, of: _): try pool.json(of: method.proto)
    case .field(let field, of: _): try pool.json(of: field.proto)
    case .oneof(let index, of: let message): try pool.json(of: message.proto.oneofDecl[index])
    case .extension(let `extension`): try pool.json(of: `extension`.field.proto)
    case .enumValue(let value, of: _): try pool.json(of: value)
    }
  }
}

extension DescriptorPool {
  /// Returns the JSON of a message by the type that the pool has, which may have extensions and newer
  /// fields.
  fileprivate func json<M: Message>(of proto: M) throws(JSONEncodingError) -> String {
    guard let type = message(M.messageName),
      let message = try? DynamicMessage(proto, as: type, in: self)
    else { return try proto.jsonString(options: .pretty) }
    return try message.jsonString(
      options: DynamicJSONOptions(pretty: true, showsUnknownTypes: true))
  }
}

private let help = HelpText(
  usage: "tripwire describe [HOST:PORT] [SYMBOL] [options]",
  about:
    "Shows a service, method, message, field, oneof, extension or enum in .proto syntax. Without SYMBOL, shows"
    + " all services. For a package, lists its services, types and extensions. SYMBOL is a full name, or the end of one if that is"
    + " unambiguous; a package needs its full name. For a field, a oneof or an enum"
    + " value, include the name of the message or the enum: Trip.name. 'tripwire list --help'"
    + " explains where the descriptors come from. HOST:PORT is the same as --endpoint HOST:PORT.",
  examples: [
    "tripwire describe SearchTripsRequest": "",
    "tripwire describe maps.fleetengine.v1.TripService/GetTrip": "",
    "tripwire describe SearchTrips -o template": "print a request to fill in",
    "tripwire describe pkg.Message --protoset types.protoset -o json": "",
    "tripwire describe localhost:50051 --plaintext --proto-out-dir protos": "",
  ], options: SchemaCommandOptions.all, exitCodes: ExitCode.table)
