package import ProtobufDescriptors

/// The configuration of an emulator that serves calls.
package struct EmulatorConfiguration: Sendable {
  /// The types that reflection describes; called when a client first asks.
  package var descriptors: @Sendable () -> [FileDescriptorProto] = { [] }

  package init() {}
}
