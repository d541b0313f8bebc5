import CommandLine
package import CommandShell

/// The commands in hints that show a symbol, with the options that find it.
package struct SymbolLookup: Sendable {
  /// Text after the symbol: " --proto a.proto".
  private let options: String
  /// Text after the command.
  private let condition: String

  /// For the built-in symbols, which no option is needed to find.
  static let builtIn = SymbolLookup(options: "", condition: "")
}

extension SymbolLookup {
  /// - Parameters:
  ///   - files: the options that name files of descriptors.
  ///   - server: the server that was asked for the schema.
  package init(_ origin: Schema.Origin, _ files: SchemaOptions, _ server: ServerOptions) {
    switch origin {
    case .embedded: self = .builtIn
    case .files: self.init(options: files.text, condition: "")
    case .reflection(let endpoint) where server.isServerOnly:
      self.init(
        options: " --endpoint \(escaped(endpoint))"
          + (server.tls.isPlaintext ? " --plaintext" : ""),
        condition: "")
    case .reflection: self.init(options: "", condition: " with the same connection options")
    }
  }

  /// Returns the hint for a message: "run 'tripwire describe a.B' to list its fields".
  ///
  /// - Parameter purpose: "list its fields".
  package func describe(_ symbol: String, to purpose: String) -> String {
    "run 'tripwire describe \(symbol)\(options)'\(condition) to \(purpose)"
  }

  /// Returns the hint for the methods of a service.
  func listMethods(of service: String) -> String {
    "run 'tripwire list \(service)\(options)'\(condition) to list its methods"
  }

  /// The hint for all services.
  var listServices: String { "run 'tripwire list\(options)'\(condition) to list the services" }

  /// Returns the hint for a field that a message does not have.
  ///
  /// - Parameter message: its full name.
  func fields(of message: String) -> String { describe(message, to: "list its fields") }
}

extension SchemaOptions {
  /// The options as they are typed, each after a space.
  fileprivate var text: String {
    let all =
      protosets.map { ("--protoset", $0) } + protos.files.map { ("--proto", $0) }
      + protos.folders.map { ("-I", $0) }
    return all.map { " \($0) \(shellWord($1))" }.joined()
  }
}
