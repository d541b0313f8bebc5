import WireProtobuf

/// The options in `--tripwire_opt`.
package struct Options: Equatable, Sendable {
  package enum Access: String, Sendable {
    case `public`
    case package
    case `internal`
  }

  /// The access level of the generated code: `access=public|package|internal`.
  package var access = Access.internal
  /// The gRPC service config with the methods' timeouts and retry policies:
  /// `service_config=PATH`.
  package var serviceConfigPath: String?
  /// Whether comments of the .proto files become documentation: `docs=true|false`.
  package var docs = true
  /// Whether each service gets a type that calls its methods: `clients=true|false`.
  package var clients = true
  /// Whether only the calls of Tripwire's own services are generated: `calls=true|false`.
  package var calls = false
  /// Whether fields with presence get `hasName` and `clearName()`: `presence=true|false`.
  package var presence = false
  /// The modules of imported .proto files, by the folder of these: `module=FOLDER:MODULE`. May be given several times.
  package var modules: [String: String] = [:]
  /// The prefix of top-level types instead of the package: `prefix=NAME`.
  package var prefix: String?
  /// Whether each file gets a registry of its messages: `registry=true|false`.
  package var registry = true
  /// Whether the code is part of the runtime, which then is not imported: `runtime=import|self`.
  package var isRuntime = false

  package init() {}

  /// Reads `key=value` pairs separated by commas.
  package init(_ parameter: String) throws(GenerationError) {
    for pair in parameter.split(separator: ",") {
      let key = pair.prefix { $0 != "=" }
      let value = String(pair.dropFirst(key.count + 1))
      switch key {
      case "access":
        guard let access = Access(rawValue: value) else {
          throw GenerationError("\(pair): expected public, package or internal")
        }
        self.access = access
      case "service_config":
        guard !value.isEmpty else { throw GenerationError("\(pair): expected the path of a file") }
        serviceConfigPath = value
      case "docs": docs = try Self.choice(pair, value, yes: "true", no: "false")
      case "calls": calls = try Self.choice(pair, value, yes: "true", no: "false")
      case "clients": clients = try Self.choice(pair, value, yes: "true", no: "false")
      case "module":
        let parts = value.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty, SwiftNames.isIdentifier(parts[1]) else {
          throw GenerationError("\(pair): expected FOLDER:MODULE, such as acme/shop/v1:Shop")
        }
        modules[parts[0]] = parts[1]
      case "prefix":
        guard value.isEmpty || SwiftNames.isIdentifier(value) else {
          throw GenerationError("\(pair): expected a Swift identifier, such as Acme, or nothing")
        }
        prefix = value
      case "presence": presence = try Self.choice(pair, value, yes: "true", no: "false")
      case "registry": registry = try Self.choice(pair, value, yes: "true", no: "false")
      case "runtime": isRuntime = try Self.choice(pair, value, yes: "self", no: "import")
      default: throw Self.unknown(String(key))
      }
    }
  }

  private static func choice(
    _ pair: Substring, _ value: String, yes: String, no: String
  ) throws(GenerationError) -> Bool {
    guard value == yes || value == no else {
      throw GenerationError("\(pair): expected \(yes) or \(no)")
    }
    return value == yes
  }

  private static func unknown(_ key: String) -> GenerationError {
    let keys = [
      "access", "calls", "clients", "docs", "module", "prefix", "presence", "registry", "runtime",
      "service_config",
    ]
    let meant = keys.nearest(to: key, within: 2)
    return GenerationError(
      "\(key): unknown option" + (meant.map { "; did you mean \($0)?" } ?? "")
        + "; expected one of " + keys.joined(separator: ", "))
  }
}

/// An error in the options or the .proto files, for the user of protoc.
package struct GenerationError: Error, Equatable, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
