package import ProtobufDescriptors
package import WireProtobuf

/// The configuration of an emulator that serves calls.
package struct EmulatorConfiguration: Sendable {
  /// Returns the present time.
  package var clock: @Sendable () -> Timestamp
  /// Whether calls require a bearer token; any token is accepted.
  package var requiresToken = false
  /// The vehicles that move by themselves; nil for none.
  package var traffic: DemoTraffic?
  /// The types that reflection describes; called when a client first asks.
  package var descriptors: @Sendable () -> [FileDescriptorProto] = { [] }

  package init(clock: @escaping @Sendable () -> Timestamp) {
    self.clock = clock
  }
}
