package import ProtobufDescriptors

/// Describes the services of the server and the types of their messages. Serves grpc.reflection.v1 and
/// v1alpha, which are the same on the wire.
package final class ReflectionService {
  private static let name = "grpc.reflection.v1.ServerReflection"
  private static let alphaName = "grpc.reflection.v1alpha.ServerReflection"
  package static let serviceNames = [name, alphaName]
  package static let paths = [name, alphaName].map { "/\($0)/ServerReflectionInfo" }

  /// The maximum size of a request in bytes, enough for every name.
  static let requestSizeLimit = 16 << 10

  let services: [String]
  let index: DescriptorIndex

  /// - Parameters:
  ///   - services: the names of the server's services.
  ///   - preferred: files that take precedence over those in `files` with the same name.
  ///   - files: all other files.
  package init(
    services: [String], preferred: [FileDescriptorProto] = [], files: [FileDescriptorProto]
  ) {
    self.services = services
    index = DescriptorIndex(preferred + files + files.compactMap(Self.alpha))
  }

  package var route: CallRoute {
    CallRoute(requestSizeLimit: Self.requestSizeLimit) { ReflectionResponder(self) }
  }

  /// The file of v1alpha, made from that of v1; nil for other files.
  private static func alpha(_ file: FileDescriptorProto) -> FileDescriptorProto? {
    guard file.package == "grpc.reflection.v1" else { return nil }
    let prefix = ".grpc.reflection.v1."
    func renamed(_ type: String?) -> String? {
      guard let type, type.hasPrefix(prefix) else { return type }
      return ".grpc.reflection.v1alpha." + type.dropFirst(prefix.count)
    }
    var alpha = file
    alpha.name = "grpc/reflection/v1alpha/reflection.proto"
    alpha.package = "grpc.reflection.v1alpha"
    for type in alpha.messageType.indices {
      for field in alpha.messageType[type].field.indices {
        alpha.messageType[type].field[field].typeName =
          renamed(alpha.messageType[type].field[field].typeName)
      }
    }
    for service in alpha.service.indices {
      for method in alpha.service[service].method.indices {
        let input = alpha.service[service].method[method].inputType
        let output = alpha.service[service].method[method].outputType
        alpha.service[service].method[method].inputType = renamed(input)
        alpha.service[service].method[method].outputType = renamed(output)
      }
    }
    return alpha
  }
}
