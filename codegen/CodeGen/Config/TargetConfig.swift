import WireProtobuf

/// The options of a target whose .proto files the build plugin generates.
package struct TargetConfig: Equatable, Sendable {
  /// The name of the file in the folder of the target.
  package static let fileName = "tripwire-protobuf-config.json"

  package private(set) var options = Options()
  /// Nil for the program in PROTOC_PATH or PATH.
  package private(set) var protoc: String?
  /// The folders in which protoc searches files, the last of which is that of the target.
  package private(set) var importPaths = ["."]

  package init() {}

  /// Reads the JSON of the file.
  ///
  /// - Parameter path: that of the file, for errors.
  package init(json text: [UInt8], path: String) throws(GenerationError) {
    let config = try mapError(GeneratorConfig(jsonUTF8Bytes: text)) { (error: JSONDecodingError) in
      GenerationError("\(path):\(error.line):\(error.column): error: \(error.reason.text)")
    }
    func check(
      _ key: String, _ expected: String, _ isValid: Bool, in steps: [JSONLocator.Step]
    ) throws(GenerationError) {
      guard !isValid else { return }
      let place = JSONLocator.find(steps, in: text)
      throw GenerationError("\(path):\(place): error: \(key): expected \(expected)")
    }
    let source = config.generatedSource ?? GeneratorConfig.GeneratedSource()
    if !source.accessLevel.isEmpty {
      let access = Options.Access(rawValue: source.accessLevel)
      try check(
        "accessLevel", "public, package or internal", access != nil,
        in: [.key("generatedSource"), .key("accessLevel")])
      options.access = access ?? .internal
    }
    if let prefix = source.prefix {
      try check(
        "prefix", "a Swift identifier, such as Acme, or nothing",
        prefix.isEmpty || SwiftNames.isIdentifier(prefix),
        in: [.key("generatedSource"), .key("prefix")])
    }
    for (folder, module) in source.modules {
      try check(
        "modules", "the name of a module", SwiftNames.isIdentifier(module),
        in: [.key("generatedSource"), .key("modules"), .key(folder)])
    }
    options.prefix = source.prefix
    options.modules = source.modules
    options.docs = source.documentation ?? true
    options.presence = source.presence ?? false
    options.serviceConfigPath = source.serviceConfig.isEmpty ? nil : source.serviceConfig
    options.clients = config.generate?.clients ?? true
    options.registry = config.generate?.registry ?? true
    let protoc = config.protoc?.executablePath ?? ""
    self.protoc = protoc.isEmpty ? nil : protoc
    importPaths = (config.protoc?.importPaths ?? []) + importPaths
  }

  /// Returns the name by which protoc knows a file of the target.
  ///
  /// - Parameter path: relative to the folder of the target.
  package func protoName(of path: String) -> String {
    for folder in importPaths.lazy.map(Self.normalized) where path.hasPrefix(folder) {
      return String(path.dropFirst(folder.count))
    }
    return path
  }

  /// Returns "a/b/" for "./a/b", and "" for ".".
  private static func normalized(_ folder: String) -> String {
    let steps = folder.split(separator: "/").filter { $0 != "." }
    return (folder.hasPrefix("/") ? "/" : "") + steps.map { $0 + "/" }.joined()
  }
}
