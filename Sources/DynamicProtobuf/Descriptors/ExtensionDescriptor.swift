/// A declaration of an extension field.
package struct ExtensionDescriptor: Sendable {
  /// The full name, such as "google.api.http".
  package let fullName: String
  package let field: FieldDescriptor
  /// The full name of the enclosing message, or the package.
  let scope: String
  /// The index of its file in ``DescriptorPool/files``.
  package let file: Int
}
