/// What `--tripwire_opt` says.
package struct Options: Equatable, Sendable {
  package enum Access: String, Sendable {
    case `public`
    case package
    case `internal`
  }

  /// Who may see the generated code: `access=public|package|internal`.
  package var access = Access.internal
  /// The gRPC service config with the methods' timeouts and retry policies:
  /// `service_config=PATH`.
  package var serviceConfigPath: String?
  /// Whether comments of the .proto files become documentation: `docs=true|false`.
  package var docs = true
  /// Whether each service gets a type that calls its methods: `clients=true|false`.
  package var clients = true
  /// Whether the code goes into the runtime itself, which then is not imported:
  /// `runtime=import|self`.
  package var isRuntime = false

  package init() {}

  /// Reads `key=value` pairs separated by commas.
  package init(_ parameter: String) throws(GenerationError) {
    for pair in parameter.split(separator: ",") {
      let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
      switch (parts[0], parts.count == 2 ? parts[1] : "") {
      case ("access", let value):
        guard let access = Access(rawValue: value) else {
          throw GenerationError("access=\(value): must be public, package or internal")
        }
        self.access = access
      case ("service_config", let path) where !path.isEmpty: serviceConfigPath = path
      case ("docs", "true"): docs = true
      case ("docs", "false"): docs = false
      case ("clients", "true"): clients = true
      case ("clients", "false"): clients = false
      case ("runtime", "import"): isRuntime = false
      case ("runtime", "self"): isRuntime = true
      default:
        throw GenerationError(
          "\(pair): options are access=, service_config=, docs=true|false, clients=true|false and "
            + "runtime=import|self")
      }
    }
  }
}

/// What is wrong with the options or the .proto files, for the user of protoc.
package struct GenerationError: Error, Equatable, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
