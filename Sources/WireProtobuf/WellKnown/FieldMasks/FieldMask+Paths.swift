extension FieldMask {
  /// Creates a mask of comma-separated paths: `FieldMask("trip_status,vehicle_waypoints")`.
  ///
  /// Paths use the names of the .proto file. ``Message/init(jsonString:options:)`` reads masks with
  /// JSON names.
  public init(_ paths: String) {
    self.init(paths: paths.split { $0 == "," || $0 == " " }.map(String.init))
  }

  /// Creates a mask of paths: `FieldMask(["trip_status", "vehicle_waypoints"])`.
  public init(_ paths: [String]) {
    self.init(paths: paths)
  }

  /// Creates a mask of comma-separated paths and checks it.
  ///
  /// - Throws: ``FieldMaskError``, as ``validate(for:)`` does.
  public init<M: Message>(
    _ paths: String, for type: M.Type
  ) throws(FieldMaskError) {
    self.init(paths)
    try validate(for: type)
  }

  /// Creates a mask of every field of a message type.
  public init<M: Message>(allFieldsOf type: M.Type) {
    self.init(paths: M.fields.fields.map { "\($0.name)" })
  }

  /// Checks that each path names a field of the message or of a sub-message.
  ///
  /// Only the last part of a path may be a repeated field, a map or a scalar
  /// (google/protobuf/field_mask.proto).
  ///
  /// - Throws: ``FieldMaskError`` for the first invalid path.
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
          throw FieldMaskError(.notASingularMessage, part, in: message, path)
        }
        message = inner
      }
    }
  }

  // MARK: Sets

  /// The same fields in the fewest paths, in alphabetical order.
  public var canonical: FieldMask { FieldMask(paths: FieldMaskTree(self).paths) }

  /// Returns the fields that are in either mask, in canonical form.
  public func union(_ other: FieldMask) -> FieldMask {
    FieldMask(paths: paths + other.paths).canonical
  }

  /// Returns the fields that are in both masks, in canonical form.
  public func intersect(_ other: FieldMask) -> FieldMask {
    FieldMask(paths: FieldMaskTree(self).intersection(FieldMaskTree(other)).paths)
  }

  /// Whether the mask contains the path or a prefix of it.
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
