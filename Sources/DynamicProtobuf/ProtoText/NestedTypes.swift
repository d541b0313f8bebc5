import ProtobufDescriptors

/// The messages that a scope declares. Those of maps and groups are part of the declaration of a field.
struct NestedTypes {
  let messages: [DescriptorProto]
  /// The indices by full name, with a leading dot.
  private let indices: [String: Int]
  private let path: [Int32]

  /// - Parameters:
  ///   - scope: a message or a package, which may be empty.
  ///   - path: of the list of messages.
  init(_ messages: [DescriptorProto], in scope: String, at path: [Int32]) {
    self.messages = messages
    self.path = path
    let prefix = scope.isEmpty ? "." : ".\(scope)."
    indices = Dictionary(
      messages.enumerated().map { (prefix + ($1.name ?? ""), $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Returns the index of the message that the declaration of a field declares.
  func declared(by field: FieldDescriptorProto) -> Int? {
    guard let index = field.typeName.flatMap({ indices[$0] }) else { return nil }
    return field.type == .group || messages[index].options?.mapEntry == true ? index : nil
  }

  func path(_ index: Int) -> [Int32] { path + [Int32(index)] }
}

/// The order of declarations in a scope that keeps the order of fields, of messages and of extensions. The
/// messages of maps and groups are in the list of messages where their fields are declared.
struct DeclarationOrder {
  enum Declaration {
    case message(Int)
    case field(Int)
    case `extension`(Int)
  }

  private(set) var declarations: [Declaration] = []
  private let types: NestedTypes
  /// The extension that declares a message, for each such message.
  private var extensions: [Int: Int] = [:]
  /// The messages that fields declare.
  private var ofFields: Set<Int> = []
  private var nextMessage = 0
  private var nextExtension = 0

  init(
    fields: [FieldDescriptorProto], _ extensions: [FieldDescriptorProto], _ types: NestedTypes
  ) {
    self.types = types
    for (index, field) in extensions.enumerated() {
      if let message = types.declared(by: field) { self.extensions[message] = index }
    }
    let declared = fields.map(types.declared)
    ofFields = Set(declared.compactMap(\.self))
    // Before the fields, not between them.
    if let first = declared.compactMap(\.self).first { addMessages(before: first) }
    for (index, message) in declared.enumerated() {
      if let message { addMessages(before: message) }
      declarations.append(.field(index))
    }
    for (index, field) in extensions.enumerated() {
      if let message = types.declared(by: field) { addMessages(before: message) }
      addExtensions(through: index)
    }
    addMessages(before: types.messages.count)
  }

  private mutating func addMessages(before end: Int) {
    while nextMessage < end {
      let message = nextMessage
      nextMessage += 1
      if let index = extensions[message] {
        addExtensions(through: index)
      } else if !ofFields.contains(message) {
        declarations.append(.message(message))
      }
    }
  }

  private mutating func addExtensions(through end: Int) {
    while nextExtension <= end {
      declarations.append(.extension(nextExtension))
      nextExtension += 1
    }
  }
}
