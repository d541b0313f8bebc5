package import ProtobufDescriptors

/// The types and services of a set of .proto files, with resolved names.
///
/// Types refer to each other by index, because they may contain themselves.
package final class DescriptorPool: Sendable {
  /// Each file once, in the given order.
  package let files: [FileDescriptorProto]
  /// All messages; nested ones directly follow the enclosing message. Includes map entries.
  package let messages: [MessageDescriptor]
  package let enums: [EnumDescriptor]
  package let services: [ServiceDescriptor]
  package let extensions: [ExtensionDescriptor]
  private let symbols: [String: Symbol]
  /// The packages and those that enclose them.
  private let packages: Set<String>
  private let fileNames: Set<String>

  /// The element that a full name identifies.
  package enum Symbol: Sendable {
    case message(MessageDescriptor)
    case `enum`(EnumDescriptor)
    case service(ServiceDescriptor)
    case method(ServiceDescriptor.Method, of: ServiceDescriptor)
    case field(FieldDescriptor, of: MessageDescriptor)
    /// The index of the oneof.
    case oneof(Int, of: MessageDescriptor)
    case `extension`(ExtensionDescriptor)
    case enumValue(EnumValueDescriptorProto, of: EnumDescriptor)
  }

  /// - Parameter files: in any order. If several files have the same name, the first is used.
  ///   Imports may be missing if nothing in them is used.
  /// - Throws: ``DescriptorError`` if a type is missing or defined twice, or if a name, number or
  ///   type breaks a rule of the language that matters here.
  package init(_ files: [FileDescriptorProto]) throws(DescriptorError) {
    var builder = PoolBuilder()
    for file in files { try builder.declare(file) }
    let parts = try builder.resolved()
    self.files = parts.files
    messages = parts.messages
    enums = parts.enums
    services = parts.services
    extensions = parts.extensions
    var symbols: [String: Symbol] = [:]
    for `extension` in parts.extensions { symbols[`extension`.fullName] = .extension(`extension`) }
    for message in parts.messages { symbols[message.fullName] = .message(message) }
    for `enum` in parts.enums { symbols[`enum`.fullName] = .enum(`enum`) }
    for service in parts.services { symbols[service.fullName] = .service(service) }
    self.symbols = symbols
    packages = Self.packages(of: parts.files)
    fileNames = Set(parts.files.map { $0.name ?? "" })
  }

  private static func packages(of files: [FileDescriptorProto]) -> Set<String> {
    var packages: Set<String> = []
    for file in files {
      var name = (file.package ?? "")[...]
      while !name.isEmpty, packages.insert(String(name)).inserted {
        name = name.lastIndex(of: ".").map { name[..<$0] } ?? ""
      }
    }
    return packages
  }

  func hasFile(_ name: String) -> Bool { fileNames.contains(name) }

  /// Whether other names may be inside this one: those of packages, types and services.
  func isScope(_ name: String) -> Bool {
    switch symbols[name] {
    case .message, .enum, .service: true
    default: packages.contains(name)
    }
  }

  /// Returns the symbol with a full name, without a leading dot. An enum value may be named inside its
  /// enum, or beside it, as in the language.
  package subscript(name: String) -> Symbol? {
    if let symbol = symbols[name] { return symbol }
    guard let dot = name.lastIndex(of: ".") else { return nil }
    let last = String(name[name.index(after: dot)...])
    switch symbols[String(name[..<dot])] {
    case .service(let service):
      return service[last].map { .method($0, of: service) }
    case .message(let message):
      return message.fields.first { $0.name == last }.map { .field($0, of: message) }
        ?? message.proto.oneofDecl.firstIndex { $0.name == last }.map { .oneof($0, of: message) }
        ?? enumValue(last, in: message.fullName)
    case .enum(let `enum`):
      return `enum`.proto.value.first { $0.name == last }.map { .enumValue($0, of: `enum`) }
    case nil: return enumValue(last, in: String(name[..<dot]))
    default: return nil
    }
  }

  /// - Parameter scope: of the enum.
  private func enumValue(_ name: String, in scope: String) -> Symbol? {
    for type in enums where type.fullName.hasPrefix(scope + ".") {
      guard !type.fullName.dropFirst(scope.utf8.count + 1).contains("."),
        let value = type.proto.value.first(where: { $0.name == name })
      else { continue }
      return .enumValue(value, of: type)
    }
    return nil
  }

  package func message(_ name: String) -> MessageDescriptor? {
    if case .message(let message)? = symbols[name] { return message }
    return nil
  }

  package func service(_ name: String) -> ServiceDescriptor? {
    if case .service(let service)? = symbols[name] { return service }
    return nil
  }
}
