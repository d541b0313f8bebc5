package import DynamicProtobuf
package import ProtobufDescriptors
import WireGRPC

/// The built-in descriptors: Fleet Engine, gRPC's own services, error details and the messages of a relay.
package enum EmbeddedSchema {
  /// The files, unpacked on first use.
  package static let files: [FileDescriptorProto] = {
    guard let packed = Base64.decode(embeddedDescriptors.description),
      let bytes = try? Inflater.inflate(packed, limit: 1 << 24),
      let set = try? FileDescriptorSet(serializedBytes: bytes)
    else { return [] }
    return set.file
  }()

  /// Creates a pool of the given files and, as far as names do not collide, the embedded ones: they define
  /// options, error details and types for Any.
  package static func pool(_ files: [FileDescriptorProto]) throws(DescriptorError) -> DescriptorPool
  {
    if files.isEmpty, let embedded { return embedded }
    let files = files.map {
      $0.name == optionsFile.name && $0.isOlderThanEditions ? optionsFile : $0
    }
    for others in [Self.files, [optionsFile]] {
      if let pool = try? DescriptorPool(files + others) { return pool }
    }
    return try DescriptorPool(files)
  }

  /// The pool of the embedded files alone, built on first use.
  private static let embedded = try? DescriptorPool(files)

  /// descriptor.proto, which defines the options.
  private static let optionsFile =
    files.first { $0.name == "google/protobuf/descriptor.proto" } ?? FileDescriptorProto()
}

extension FileDescriptorProto {
  /// The file for other programs. Some, such as buf, require a span for each comment, which the embedded
  /// files omit.
  package var withPlacedComments: FileDescriptorProto {
    var file = self
    var places = file.sourceCodeInfo?.location ?? []
    for index in places.indices where places[index].span.isEmpty { places[index].span = [0, 0, 0] }
    file.sourceCodeInfo?.location = places
    return file
  }

  /// Whether this descriptor.proto does not define the features of editions, so that the names of some
  /// options are unknown.
  fileprivate var isOlderThanEditions: Bool { !messageType.contains { $0.name == "FeatureSet" } }
}
