package import ProtobufDescriptors

package struct ServiceDescriptor: Sendable {
  package struct Method: Sendable {
    package let proto: MethodDescriptorProto
    package let name: String
    /// The `:path` of its calls, such as "/maps.fleetengine.v1.TripService/GetTrip".
    package let path: String
    package let input: MessageDescriptor
    package let output: MessageDescriptor

    package var streamsRequests: Bool { proto.clientStreaming == true }
    package var streamsResponses: Bool { proto.serverStreaming == true }
  }

  /// The full name, such as "maps.fleetengine.v1.TripService".
  package let fullName: String
  package let proto: ServiceDescriptorProto
  /// The index of its file in ``DescriptorPool/files``.
  package let file: Int
  /// The methods in the order of declaration.
  package let methods: [Method]

  package subscript(name: String) -> Method? { methods.first { $0.name == name } }
}
