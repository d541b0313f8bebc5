import DynamicProtobuf
import ProtobufDescriptors
import Tripwire
import WireSystem

extension Schema {
  /// The maximum size of a FileDescriptorSet in bytes. All of googleapis, with comments, fits.
  private static let protosetLimit = 128 << 20

  private static let protosetHint =
    "compile the .proto files: protoc --include_imports --descriptor_set_out=FILE NAME.proto"

  /// Reads FileDescriptorSets.
  ///
  /// - Parameter deadline: when to give up waiting for the writer of a pipe; nil does after 15 s.
  init(
    protosets paths: [String], until deadline: ContinuousClock.Instant? = nil
  ) throws(ErrorReport) {
    let deadline = deadline ?? .now + LocalFile.patience
    var files: [FileDescriptorProto] = []
    for path in paths {
      let bytes: [UInt8]
      do throws(FileReadError) {
        bytes = try LocalFile.contents(of: path, limit: Self.protosetLimit, until: deadline)
      } catch {
        throw ErrorReport("protoset", path, error)
      }
      do throws(DecodingError) {
        files += try FileDescriptorSet(serializedBytes: bytes).file
      } catch {
        throw ErrorReport(
          local: "--protoset: \(escaped(path)): not a FileDescriptorSet: \(error)",
          hint: Self.protosetHint)
      }
    }
    guard !files.isEmpty else {
      throw ErrorReport(
        local: "--protoset: \(escaped(paths.joined(separator: ", "))): no file descriptors found",
        hint: Self.protosetHint)
    }
    let pool: DescriptorPool
    do throws(ErrorReport) {
      pool = try EmbeddedSchema.pool(files)
    } catch {
      var error = error
      error.message = "--protoset: \(error.message)"
      error.hint = Self.protosetHint
      throw error
    }
    let names = Set(files.map { $0.name ?? "" })
    self.files = names
    self.pool = pool
    services = pool.services.filter { names.contains(pool.files[$0.file].name ?? "") }
      .map(\.fullName).sorted()
    origin = .protosets(paths)
  }
}
