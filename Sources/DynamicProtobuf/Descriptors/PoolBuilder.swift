import ProtobufDescriptors
import WireProtobuf

/// Puts files together: first it takes down what they declare, then it finds what they refer to.
struct PoolBuilder {
  var files: [FileDescriptorProto] = []
  var fileNames: Set<String> = []
  var messages: [Declared<DescriptorProto>] = []
  var enums: [Declared<EnumDescriptorProto>] = []
  var services: [Declared<ServiceDescriptorProto>] = []
  /// The extensions of files, with the scope in which they are.
  var extensions: [Declared<FieldDescriptorProto>] = []
  /// Messages and enums by their full names.
  var types: [String: FieldType] = [:]
  private var serviceNames: Set<String> = []
  /// In how many scopes a type may yet be sought. Compilers write whole names, which are sought in
  /// none; each of the others may cost as many as the scopes nest.
  var scopesToSeek = 1_000_000

  struct Declared<Proto> {
    let proto: Proto
    /// Of an extension the scope around it.
    let fullName: String
    let file: Int
    /// Of an extension those of the scope around it.
    let features: Features
  }

  /// What no name is longer than, whole or in part: each type has its own, so that a few bytes that
  /// are nested in long names would take many.
  static let longestName = 512

  mutating func declare(_ file: FileDescriptorProto) throws(DescriptorError) {
    let name = file.name ?? ""
    guard fileNames.insert(name).inserted else { return }
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
        throw DescriptorError(name, "\(fullName) is defined twice")
      }
      services.append(
        Declared(proto: service, fullName: fullName, file: files.count - 1, features: features))
    }
  }

  /// No deeper than the descriptors nest, which decoding limits.
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
      throw DescriptorError(file.name ?? "", "\(fullName) is defined twice")
    }
  }

  func fullName(
    _ name: String?, in scope: String, _ file: FileDescriptorProto
  ) throws(DescriptorError) -> String {
    let name = name ?? ""
    try check(name, in: file)
    guard scope.utf8.count + name.utf8.count < Self.longestName else {
      throw DescriptorError(
        file.name ?? "",
        "the full name of \(name) in \(scope) is longer than \(Self.longestName) bytes")
    }
    return scope.isEmpty ? name : "\(scope).\(name)"
  }

  /// Whether a name is one of the language: whoever prints or looks it up can count on it.
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
      throw DescriptorError(
        file.name ?? "", "\(name.quotedForPeople) is not the name of a package or type")
    }
  }
}
