package import ProtobufDescriptors

/// A service.
package final class ServiceDescriptor: Sendable {
  /// The full name, such as "maps.fleetengine.v1.TripService".
  package let fullName: String
  package let proto: ServiceDescriptorProto
  /// The index of its file in ``DescriptorPool/files``.
  package let file: Int
  /// The methods in the order of declaration.
  package let methods: [MethodDescriptor]

  init(
    fullName: String, proto: ServiceDescriptorProto, file: Int, methods: [MethodDescriptor]
  ) {
    self.fullName = fullName
    self.proto = proto
    self.file = file
    self.methods = methods
  }

  package subscript(name: String) -> MethodDescriptor? { methods.first { $0.name == name } }
}

/// A method of a service.
package struct MethodDescriptor: Sendable {
  package let proto: MethodDescriptorProto
  package let name: String
  /// The `:path` of its calls, such as "/maps.fleetengine.v1.TripService/GetTrip".
  package let path: String
  package let input: MessageDescriptor
  package let output: MessageDescriptor

  package var streamsRequests: Bool { proto.clientStreaming == true }
  package var streamsResponses: Bool { proto.serverStreaming == true }
}
