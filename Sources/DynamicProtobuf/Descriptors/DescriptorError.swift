import ProtobufDescriptors
import WireProtobuf

/// An error in a set of descriptors.
package struct DescriptorError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The .proto file with the error.
  let file: String
  let reason: String

  init(_ file: FileDescriptorProto, _ reason: String) {
    self.file = (file.name ?? "").forDisplay
    self.reason = reason
  }

  package var description: String { "\(file): \(reason)" }
}
