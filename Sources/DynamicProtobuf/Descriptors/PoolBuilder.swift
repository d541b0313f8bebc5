import ProtobufDescriptors
import WireProtobuf

/// Builds the parts of a pool: first it collects all declarations, then it resolves references.
struct PoolBuilder {
  var files: [FileDescriptorProto] = []
  var fileNames: Set<String> = []
  var messages: [Declared<DescriptorProto>] = []
  var enums: [Declared<EnumDescriptorProto>] = []
  var services: [Declared<ServiceDescriptorProto>] = []
  /// The extensions of files, with their scopes.
  var extensions: [Declared<FieldDescriptorProto>] = []
  /// Messages and enums by full name.
  var types: [String: FieldType] = [:]
  private var serviceNames: Set<String> = []
  /// How many more scopes type names may be looked up in. Compilers write fully qualified names,
  /// which need no lookup; any other name may need one lookup for each enclosing scope.
  var scopeLookupBudget = 1_000_000

  struct Declared<Proto> {
    let proto: Proto
    /// The full name; for an extension that of the enclosing scope.
    let fullName: String
    let file: Int
    /// The features; for an extension those of the enclosing scope.
    let features: Features
  }

  /// The maximum length of a name or part of a name in bytes. Each type stores its full name, so
  /// without a limit a small input of nested long names would take much memory.
  static let longestName = 512

  mutating func declare(_ file: FileDescriptorProto) throws(DescriptorError) {
    let name = file.name ?? ""
    guard !file.isPlaceholder, fileNames.insert(name).inserted else { return }
    guard Features.syntaxes.contains(file.syntax ?? "") else {
      throw DescriptorError(
        file,
        "the syntax \((file.syntax ?? "").quotedForDisplay) is unknown; expected proto2, proto3 or editions"
      )
    }
    let package = file.package ?? ""
    for part in package.split(separator: ".", omittingEmptySubsequences: false)
    where !package.isEmpty {
      try check(String(part), in: file)
    }
    files.append(file)
    let features = Features(file)
    try declare(file.messageType, file.enumType, in: package, file, features)
    declare(file.extension, in: package, features)
    for service in file.service {
      let fullName = try self.fullName(service.name, in: package, file)
      guard serviceNames.insert(fullName).inserted, types[fullName] == nil else {
        throw DescriptorError(file, "\(fullName) is defined twice")
      }
      services.append(
        Declared(proto: service, fullName: fullName, file: files.count - 1, features: features))
    }
  }

  /// Recursion is as deep as descriptors nest, which decoding limits.
  private mutating func declare(
    _ messages: [DescriptorProto], _ enums: [EnumDescriptorProto], in scope: String,
    _ file: FileDescriptorProto, _ features: Features
  ) throws(DescriptorError) {
    for `enum` in enums {
      let fullName = try self.fullName(`enum`.name, in: scope, file)
      for value in `enum`.value { try check(value.name ?? "", in: file) }
      try define(fullName, .enum(self.enums.count), file)
      self.enums.append(
        Declared(
          proto: `enum`, fullName: fullName, file: files.count - 1,
          features: features.inside(`enum`.options)))
    }
    for message in messages {
      let fullName = try self.fullName(message.name, in: scope, file)
      try define(fullName, .message(self.messages.count), file)
      for oneof in message.oneofDecl { try check(oneof.name ?? "", in: file) }
      let inner = features.inside(message.options)
      self.messages.append(
        Declared(proto: message, fullName: fullName, file: files.count - 1, features: inner))
      try declare(message.nestedType, message.enumType, in: fullName, file, inner)
      declare(message.extension, in: fullName, inner)
    }
  }

  private mutating func declare(
    _ extensions: [FieldDescriptorProto], in scope: String, _ features: Features
  ) {
    self.extensions += extensions.map {
      Declared(proto: $0, fullName: scope, file: files.count - 1, features: features)
    }
  }

  private mutating func define(
    _ fullName: String, _ type: FieldType, _ file: FileDescriptorProto
  ) throws(DescriptorError) {
    guard types.updateValue(type, forKey: fullName) == nil else {
      throw DescriptorError(file, "\(fullName) is defined twice")
    }
  }

  func fullName(
    _ name: String?, in scope: String, _ file: FileDescriptorProto
  ) throws(DescriptorError) -> String {
    let name = name ?? ""
    try check(name, in: file)
    guard scope.utf8.count + name.utf8.count < Self.longestName else {
      throw DescriptorError(
        file, "the full name of \(name) in \(scope) is longer than \(Self.longestName) bytes")
    }
    return scope.isEmpty ? name : "\(scope).\(name)"
  }

  /// Checks that a name is a valid identifier, so that it is safe to print and to look up.
  func check(_ name: String, in file: FileDescriptorProto) throws(DescriptorError) {
    let isName =
      !name.isEmpty && name.utf8.count <= Self.longestName
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
    guard isName else {
      throw DescriptorError(file, "\(name.quotedForDisplay) is not the name of a package or type")
    }
  }
}
