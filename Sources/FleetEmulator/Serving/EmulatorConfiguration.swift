package import ProtobufDescriptors

/// The configuration of an emulator that serves calls.
package struct EmulatorConfiguration: Sendable {
  /// Whether calls require a bearer token; any token is accepted.
  package var requiresToken = false
  /// The types that reflection describes; called when a client first asks.
  package var descriptors: @Sendable () -> [FileDescriptorProto] = { [] }

  package init() {}
}
