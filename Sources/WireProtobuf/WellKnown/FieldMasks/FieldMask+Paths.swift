extension FieldMask {
  /// A mask of paths with commas between them: `FieldMask("trip_status,vehicle_waypoints")`.
  ///
  /// Paths are the names of the .proto file; those of JSON are read by ``Message/init(jsonString:options:)``.
  public init(_ paths: String) {
    self.init(paths: paths.split { $0 == "," || $0 == " " }.map(String.init))
  }

  /// A mask of paths: `FieldMask(["trip_status", "vehicle_waypoints"])`.
  public init(_ paths: [String]) {
    self.init(paths: paths)
  }

  /// A mask of paths with commas between them, checked as ``validate(for:)`` does.
  public init<M: Message>(
    _ paths: String, for type: M.Type
  ) throws(FieldMaskError) {
    self.init(paths)
    try validate(for: type)
  }

  /// A mask of every field of a message.
  public init<M: Message>(allFieldsOf type: M.Type) {
    self.init(paths: M.fields.fields.map { "\($0.name)" })
  }

  /// Checks that each path names a field of the message, or one inside a sub-message.
  ///
  /// Only the last part of a path may be a repeated field, a map or a scalar
  /// (google/protobuf/field_mask.proto).
  ///
  /// - Throws: ``FieldMaskError`` for the first path that names none.
  public func validate<M: Message>(for type: M.Type) throws(FieldMaskError) {
    for path in paths {
      var message: any Message.Type = type
      var parts = FieldMaskTree.parts(of: path)
      while let part = parts.popFirst() {
        guard let field = message.fields.fields.first(where: { "\($0.name)" == part }) else {
          throw FieldMaskError(noField: part, in: message, path)
        }
        if parts.isEmpty { break }
        guard field.cardinality == .singular, let inner = field.message else {
          throw FieldMaskError(notASingularMessage: part, in: message, path)
        }
        message = inner
      }
    }
  }

  // MARK: Sets

  /// The same fields in as few paths as it takes, in alphabetical order.
  public var canonical: FieldMask { FieldMask(paths: FieldMaskTree(self).paths) }

  /// The fields that are in either mask, in canonical form.
  public func union(_ other: FieldMask) -> FieldMask {
    FieldMask(paths: paths + other.paths).canonical
  }

  /// The fields that are in both masks, in canonical form.
  public func intersect(_ other: FieldMask) -> FieldMask {
    FieldMask(paths: FieldMaskTree(self).intersection(FieldMaskTree(other)).paths)
  }

  /// Whether the mask has a path, or one that the path is inside of.
  public func contains(_ path: String) -> Bool {
    FieldMaskTree(self).contains(FieldMaskTree.parts(of: path))
  }
}

/// `let mask: FieldMask = ["trip_status", "vehicle_waypoints"]`.
extension FieldMask: ExpressibleByArrayLiteral {
  public init(arrayLiteral paths: String...) {
    self.init(paths: paths)
  }
}
