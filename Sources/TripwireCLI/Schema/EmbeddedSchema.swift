import DynamicProtobuf
import ProtobufDescriptors
import Tripwire
import WireGRPC

/// The built-in descriptors: Fleet Engine, gRPC's own services and error details.
enum EmbeddedSchema {
  /// The files, unpacked on first use.
  static let files: [FileDescriptorProto] = {
    guard let packed = Base64.decode(embeddedDescriptors.description),
      let bytes = try? Inflater.inflate(packed, limit: 1 << 24),
      let set = try? FileDescriptorSet(serializedBytes: bytes)
    else { return [] }
    return set.file
  }()

  /// Returns the files for other programs. Some, such as buf, require a span for each comment, which
  /// the embedded files omit.
  static func placedFiles() -> [FileDescriptorProto] {
    files.map { file in
      var file = file
      var places = file.sourceCodeInfo?.location ?? []
      for index in places.indices { places[index].span = [0, 0, 0] }
      file.sourceCodeInfo?.location = places
      return file
    }
  }

  static func schema() throws(ErrorReport) -> Schema {
    let pool: DescriptorPool
    do throws(DescriptorError) {
      pool = try Self.pool([])
    } catch {
      throw ErrorReport(local: escaped(error.description))
    }
    return Schema(
      pool: pool, origin: .embedded, services: pool.services.map(\.fullName).sorted())
  }

  /// Creates a pool of the given files and, if the names do not collide, the embedded ones: they define
  /// options, error details and types for Any.
  static func pool(_ files: [FileDescriptorProto]) throws(DescriptorError) -> DescriptorPool {
    if let pool = try? DescriptorPool(files + self.files) { return pool }
    return try DescriptorPool(files)
  }
}
