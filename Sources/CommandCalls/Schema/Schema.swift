import CommandLine
package import CommandShell
package import DynamicProtobuf
package import ProtobufDescriptors
import WireProtobuf

/// Services and types, and their source.
package struct Schema: Sendable {
  package let pool: DescriptorPool
  package let origin: Origin
  /// The names of the services that the source offers. The pool may have others.
  package var services: [String]
  /// The names of the source's files; nil if the pool has no others.
  var files: Set<String>?

  package enum Origin: Equatable, Sendable {
    case embedded
    /// The paths of the files, and the option that names them.
    case files([String], option: String)
    /// Server reflection, from this endpoint.
    case reflection(String)
  }

  /// The source's files.
  package var ownFiles: [FileDescriptorProto] {
    pool.files.filter { files?.contains($0.name ?? "") ?? true }
  }

  /// The full names of all services, messages and enums.
  var names: [String] {
    pool.services.map(\.fullName) + pool.messages.map(\.fullName) + pool.enums.map(\.fullName)
  }

  /// Returns the full names of the symbols that a name matches: the symbol itself, or all symbols that end
  /// in a dot and the name.
  package func symbols(named name: String) -> [String] {
    let name = name.hasPrefix(".") ? String(name.dropFirst()) : name
    if pool[name] != nil { return [name] }
    return preferred(names.filter { $0.hasSuffix("." + name) }) { $0 }
  }

  /// Returns the full names of the methods, fields, oneofs, enum values and extensions that a name without the
  /// package matches; a method may lack its service, too.
  package func members(named name: String) -> [String] {
    let members =
      if let dot = name.lastIndex(of: ".") {
        symbols(named: String(name[..<dot])).map { $0 + name[dot...] }.filter { pool[$0] != nil }
      } else {
        pool.services.filter { $0[name] != nil }.map { "\($0.fullName).\(name)" }
      }
    guard members.isEmpty else { return members }
    return preferred(pool.extensions.map(\.fullName).filter { $0.hasSuffix("." + name) }) { $0 }
  }

  /// Returns the service that the server lists by this name, but without a descriptor.
  package func undescribedService(named name: String) -> String? {
    services.first { ($0 == name || $0.hasSuffix("." + name)) && pool.service($0) == nil }
  }

  /// Returns the matches in the source's own files, or all if there are none.
  func preferred<Found>(_ found: [Found], name: (Found) -> String) -> [Found] {
    guard let files else { return found }
    let own = found.filter { pool[name($0)].map { files.contains($0.file(in: pool)) } ?? false }
    return own.isEmpty ? found : own
  }
}

extension DescriptorPool.Symbol {
  /// The names of the fields, methods or values.
  package var memberNames: [String] {
    switch self {
    case .message(let message):
      message.fields.map(\.name) + message.proto.oneofDecl.compactMap(\.name)
    case .service(let service): service.methods.map(\.name)
    case .enum(let type): type.proto.value.compactMap(\.name)
    case .field, .oneof, .extension, .method, .enumValue: []
    }
  }

  /// "a message" or "an enum"; nil for other symbols.
  var kindOfType: String? {
    switch self {
    case .message: "a message"
    case .enum: "an enum"
    case .service, .field, .oneof, .extension, .method, .enumValue: nil
    }
  }

  /// The path of the .proto file.
  package func file(in pool: DescriptorPool) -> String {
    let index =
      switch self {
      case .message(let message), .field(_, of: let message), .oneof(_, of: let message):
        message.file
      case .extension(let `extension`): `extension`.file
      case .enum(let `enum`), .enumValue(_, of: let `enum`): `enum`.file
      case .service(let service), .method(_, of: let service): service.file
      }
    return pool.files[index].name ?? ""
  }
}

extension UsageError {
  /// - Parameters:
  ///   - place: of the name in the command line, "METHOD: "; may be empty.
  ///   - service: listed by the server.
  package init(undescribed service: String, _ place: String, in origin: Schema.Origin) {
    self.init(
      message: "\(place)\(origin) lists \(service), but has no descriptor for it",
      hint: "pass descriptors with --protoset FILE")
  }
}

extension Schema.Origin: CustomStringConvertible {
  /// The source of the symbols: "the reflection service of 127.0.0.1:50051".
  package var description: String {
    switch self {
    case .embedded: "the built-in descriptors"
    case .files(let files, option: _): files.joined(separator: ", ")
    case .reflection(let endpoint): "the reflection service of \(endpoint)"
    }
  }
}

extension EmbeddedSchema {
  package static func schema() throws(ErrorReport) -> Schema {
    let pool = try mapError(Self.pool([])) { (error: DescriptorError) in
      ErrorReport(local: escaped(error.description))
    }
    return Schema(
      pool: pool, origin: .embedded, services: pool.services.map(\.fullName).sorted())
  }
}
