import WireProtobuf

/// The fields of a message that are kept: a tree of field masks' paths, checked against the type.
///
/// As in a field mask, a name is that of JSON or of the .proto file. Unlike there, a path may continue
/// after a repeated field, and then applies to each of its messages.
package struct FieldSelection: Sendable {
  /// The parts of selected fields by number; empty for whole fields.
  private var parts: [Int: FieldSelection] = [:]

  /// An invalid path, and the reason.
  package struct PathError: Error, Equatable {
    package enum Reason: Equatable, Sendable {
      case emptyPart
      /// The message has no field of that name. A similar one if there is one.
      case unknownField(suggestion: String?)
      /// The path continues after a field that is not a message with fields.
      case notAMessage
    }

    package let reason: Reason
    package let path: String
    /// The part of the path with the error.
    package let part: String
    /// The full name of the message that was searched for it.
    package let message: String
  }

  /// - Parameters:
  ///   - paths: such as `lastLocation.location`.
  ///   - descriptor: must be in the pool.
  package init(
    _ paths: [String], of descriptor: MessageDescriptor, in pool: DescriptorPool
  ) throws(PathError) {
    for path in paths {
      let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      try add(names[...], path, of: descriptor, in: pool)
    }
  }

  private init() {}

  private mutating func add(
    _ names: ArraySlice<String>, _ path: String, of descriptor: MessageDescriptor,
    in pool: DescriptorPool
  ) throws(PathError) {
    guard let name = names.first else { return }
    let error = { (reason: PathError.Reason) in
      PathError(reason: reason, path: path, part: name, message: descriptor.fullName)
    }
    guard !name.isEmpty else { throw error(.emptyPart) }
    guard let field = descriptor[name] else {
      throw error(.unknownField(suggestion: descriptor.jsonNames.suggestion(for: name)))
    }
    let isSelected = parts[field.number]?.parts.isEmpty == true
    var part = parts[field.number] ?? FieldSelection()
    let rest = names.dropFirst()
    if !rest.isEmpty {
      guard case .message(let index) = field.type, field.cardinality != .map,
        !pool.messages[index].hasCustomJSON
      else { throw error(.notAMessage) }
      try part.add(rest, path, of: pool.messages[index], in: pool)
    }
    // The whole field contains each of its parts.
    parts[field.number] = isSelected || rest.isEmpty ? FieldSelection() : part
  }

  fileprivate subscript(number: Int) -> FieldSelection? { parts[number] }

  fileprivate var isWhole: Bool { parts.isEmpty }
}

extension DynamicMessage {
  /// Removes all other fields, including unknown ones.
  package mutating func keep(_ selection: FieldSelection) {
    guard !selection.isWhole else { return }
    unknownFields = []
    for entry in fields.all {
      let field = entry.field
      guard let part = selection[field.number] else {
        fields[field] = nil
        continue
      }
      switch entry.value {
      case .one(let value): fields[field] = .one(value.keeping(part))
      case .list(let values): fields[field] = .list(values.map { $0.keeping(part) })
      case .map: break
      }
    }
  }
}

extension DynamicValue {
  fileprivate func keeping(_ selection: FieldSelection) -> DynamicValue {
    guard case .message(var message) = self else { return self }
    message.keep(selection)
    return .message(message)
  }
}
