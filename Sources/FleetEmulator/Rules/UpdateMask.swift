import WireProtobuf

extension FieldMask? {
  /// Checks the mask of an update, and returns it.
  ///
  /// - Parameters:
  ///   - serverOwned: the fields that the server maintains.
  ///   - immutable: the fields that only the creation of the resource sets.
  /// - Throws: INVALID_ARGUMENT for `update_mask` if it is empty or has an invalid path.
  func checked<M: Message>(
    for type: M.Type, serverOwned: Set<String>, immutable: Set<String> = []
  ) throws(EngineError) -> FieldMask {
    guard let self, !self.paths.isEmpty else {
      throw .invalid("update_mask", "must contain at least one field")
    }
    do throws(FieldMaskError) {
      try self.validate(for: type)
    } catch {
      throw .invalid("update_mask", "\(error)")
    }
    for field in self.topLevelFields.sorted() {
      if serverOwned.contains(field) {
        throw .invalid("update_mask", "names \(field), which Fleet Engine maintains")
      }
      if immutable.contains(field) {
        throw .invalid("update_mask", "names \(field), which is immutable")
      }
    }
    return self
  }
}

extension FieldMask {
  /// The first parts of the paths.
  var topLevelFields: Set<String> {
    Set(paths.map(\.firstField))
  }

  /// The paths that lead into these fields.
  func only(_ fields: Set<String>) -> FieldMask {
    FieldMask(paths: paths.filter { fields.contains($0.firstField) })
  }

  /// The paths that do not lead into these fields.
  func without(_ fields: Set<String>) -> FieldMask {
    FieldMask(paths: paths.filter { !fields.contains($0.firstField) })
  }
}

extension String {
  /// The first part of a path.
  fileprivate var firstField: String { String(prefix { $0 != "." }) }
}

extension Message {
  /// Replaces the fields that a valid mask names.
  mutating func replaceFields(from other: Self, _ mask: FieldMask) {
    // An empty mask would be one of all fields.
    guard !mask.paths.isEmpty else { return }
    try? merge(from: other, fieldMask: mask, options: .replace)
  }
}
