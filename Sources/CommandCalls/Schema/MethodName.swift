package import CommandLine
package import CommandShell
package import DynamicProtobuf
import ProtobufDescriptors

/// A method as the user names it: `SERVICE/METHOD` or `SERVICE.METHOD`, the service with or without its
/// package, or the method alone.
package struct MethodName {
  package let text: String
  let service: String?
  let method: String

  package init(_ text: String) throws(UsageError) {
    self.text = text
    let name = text.hasPrefix("/") || text.hasPrefix(".") ? text.dropFirst() : text[...]
    if let cut = name.lastIndex(of: "/") ?? name.lastIndex(of: ".") {
      service = String(name[..<cut])
      method = String(name[name.index(after: cut)...])
    } else {
      service = nil
      method = String(name)
    }
    // Names do not contain colons.
    if let colon = name.firstIndex(of: ":") {
      let server = name[..<(name[colon...].firstIndex(of: "/") ?? name.endIndex)]
      throw UsageError(
        message: "METHOD: \(escaped(text)) is not a method name",
        hint: server.contains("(")
          ? "pass the method as SERVICE/METHOD, and the request with -d"
          : UsageError.hint(forServer: server))
    }
    guard !method.isEmpty, service?.isEmpty != true, service?.contains("/") != true else {
      throw UsageError(
        message: "METHOD: \(shown(text)) is not a method name",
        hint: "write SERVICE/METHOD, such as maps.fleetengine.v1.TripService/SearchTrips")
    }
  }

  /// The symbols to look up at a server.
  package var symbols: [String] { service.map { [$0] } ?? [] }

  package typealias Found = (service: ServiceDescriptor, method: ServiceDescriptor.Method)

  /// Returns the method; nil if there is none.
  ///
  /// - Throws: a report if there are several.
  package func find(in schema: Schema) throws(ErrorReport) -> Found? {
    let all = schema.pool.services.filter(matches).compactMap { service -> Found? in
      service[method].map { (service, $0) }
    }
    let found = schema.preferred(all) { $0.service.fullName }
    // A full name matches no other method.
    if let service, let whole = found.first(where: { $0.service.fullName == service }) {
      return whole
    }
    guard found.count > 1 else { return found.first }
    throw .usage(
      "METHOD: \(escaped(text)) is ambiguous",
      excerpt: found.map { String($0.method.path.dropFirst()) }, hint: "add the name of the service"
    )
  }

  private func matches(_ candidate: ServiceDescriptor) -> Bool {
    guard let service else { return true }
    return candidate.fullName == service || candidate.fullName.hasSuffix("." + service)
  }

  /// Returns the error for a method that does not exist.
  ///
  /// - Parameter options: the server that was asked for the schema.
  package func missing(
    from schema: Schema, _ options: ServerOptions, _ lookup: SymbolLookup = .builtIn
  ) -> UsageError {
    let symbols = schema.symbols(named: text.hasPrefix("/") ? String(text.dropFirst()) : text)
    if let service = symbols.first(where: { schema.pool.service($0) != nil }) {
      return UsageError(
        message: "METHOD: \(service) is a service, not a method",
        hint: lookup.listMethods(of: service))
    }
    if let name = symbols.first, let kind = schema.pool[name]?.kindOfType {
      return UsageError(
        message: "METHOD: \(name) is \(kind), not a method", hint: lookup.listServices)
    }
    let offered = Set(schema.services)
    let services = schema.pool.services.filter { offered.contains($0.fullName) }
    if let service = services.first(where: { service != nil && matches($0) }) {
      let guess = nearest(to: method, among: service.methods.map(\.name))
      return UsageError(
        message: "METHOD: \(service.fullName) has no method \(escaped(method))",
        hint: guess.map { "did you mean \(service.fullName)/\($0)?" }
          ?? lookup.listMethods(of: service.fullName))
    }
    if let service = service.flatMap(schema.undescribedService) {
      return UsageError(undescribed: service, "METHOD: ", in: schema.origin)
    }
    let methods = services.flatMap { service in
      service.methods.map { (service: service.proto.name ?? "", method: $0) }
    }
    let guess =
      if let service {
        nearest(
          to: service.split(separator: ".").last.map(String.init) ?? service,
          among: methods.filter { $0.method.name.lowercased() == method.lowercased() }
            .map { ($0.service, $0.method.path.dropFirst()) })
      } else {
        nearest(to: method, among: methods.map { ($0.method.name, $0.method.path.dropFirst()) })
      }
    return UsageError(
      message: "METHOD: \(escaped(text)) was not found in \(schema.origin)",
      hint: guess.map { "did you mean \($0)?" } ?? schema.origin.hint(options, lookup))
  }
}

extension Schema.Origin {
  /// Returns the hint to search elsewhere.
  ///
  /// - Parameter options: the server that was asked for the schema.
  package func hint(_ options: ServerOptions, _ lookup: SymbolLookup) -> String {
    switch self {
    case .embedded where options.connection.replay != nil: "pass descriptors with --protoset FILE"
    case .embedded:
      "pass --protoset FILE or --proto FILE, or the --endpoint of a server that supports reflection"
    case .files: lookup.listServices
    case .reflection: "\(lookup.listServices), or pass --protoset FILE"
    }
  }
}
