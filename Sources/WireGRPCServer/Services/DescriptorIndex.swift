import ProtobufDescriptors
import WireProtobuf

/// Finds the file that declares a symbol.
struct DescriptorIndex {
  private struct Extension: Hashable {
    var type: String
    var number: Int32
  }

  private var files: [FileDescriptorProto] = []
  private var names: [String: Int] = [:]
  private var symbols: [String: Int] = [:]
  private var extensions: [Extension: Int] = [:]
  /// The numbers of the extensions of a type, by its name.
  private var numbers: [String: [Int32]] = [:]

  /// If several files have the same name, the first is used.
  init(_ files: some Sequence<FileDescriptorProto>) {
    for file in files where names[file.name ?? ""] == nil {
      names[file.name ?? ""] = self.files.count
      add(file, self.files.count)
      self.files.append(file)
    }
  }

  func file(named name: String) -> Int? { names[name] }

  /// - Parameter symbol: the full name of a service, method, message, field, enum or extension.
  func file(declaring symbol: String) -> Int? { symbols[symbol] }

  func file(extending type: String, by number: Int32) -> Int? {
    extensions[Extension(type: type, number: number)]
  }

  /// The numbers of the extensions of a message type; nil for an unknown type.
  func extensionNumbers(of type: String) -> [Int32]? {
    symbols[type].map { _ in numbers[type, default: []].sorted() }
  }

  /// A file, then everything that it imports, directly or indirectly.
  func closure(of file: Int) -> [Int] {
    var found = [file]
    var seen: Set = [file]
    var next = 0
    while next < found.count {
      for name in files[found[next]].dependency {
        guard let file = names[name], seen.insert(file).inserted else { continue }
        found.append(file)
      }
      next += 1
    }
    return found
  }

  func bytes(of file: Int) -> [UInt8] { files[file].serializedBytes() }

  // MARK: Symbols

  private mutating func add(_ file: FileDescriptorProto, _ index: Int) {
    let package = file.package ?? ""
    for type in file.messageType { add(type, in: package, index) }
    for type in file.enumType { add(type, in: package, index) }
    for field in file.`extension` { add(extension: field, in: package, index) }
    for service in file.service {
      let name = Self.join(package, service.name)
      symbols[name] = index
      for method in service.method { symbols[Self.join(name, method.name)] = index }
    }
  }

  private mutating func add(_ type: DescriptorProto, in scope: String, _ index: Int) {
    let name = Self.join(scope, type.name)
    symbols[name] = index
    for field in type.field { symbols[Self.join(name, field.name)] = index }
    for oneof in type.oneofDecl { symbols[Self.join(name, oneof.name)] = index }
    for type in type.nestedType { add(type, in: name, index) }
    for type in type.enumType { add(type, in: name, index) }
    for field in type.`extension` { add(extension: field, in: name, index) }
  }

  /// The values of an enum are in the scope of the enum itself.
  private mutating func add(_ type: EnumDescriptorProto, in scope: String, _ index: Int) {
    symbols[Self.join(scope, type.name)] = index
    for value in type.value { symbols[Self.join(scope, value.name)] = index }
  }

  private mutating func add(
    extension field: FieldDescriptorProto, in scope: String, _ index: Int
  ) {
    let type = String((field.extendee ?? "").drop { $0 == "." })
    symbols[Self.join(scope, field.name)] = index
    extensions[Extension(type: type, number: field.number ?? 0)] = index
    numbers[type, default: []].append(field.number ?? 0)
  }

  private static func join(_ scope: String, _ name: String?) -> String {
    scope.isEmpty ? name ?? "" : "\(scope).\(name ?? "")"
  }
}
