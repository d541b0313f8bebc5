import WireProtobuf

/// Why descriptors do not fit together.
package struct DescriptorError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The .proto file at fault.
  package let file: String
  package let reason: String

  init(_ file: String, _ reason: String) {
    self.file = file.forPeople
    self.reason = reason
  }

  package var description: String { "\(file): \(reason)" }
}
