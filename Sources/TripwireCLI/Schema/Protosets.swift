import DynamicProtobuf
import ProtobufDescriptors
import Tripwire
import WireSystem

extension Schema {
  /// The maximum size of a FileDescriptorSet in bytes. All of googleapis, with comments, fits.
  static let fileSetLimit = 128 << 20

  private static let protosetHint =
    "compile the .proto files: protoc --include_imports --descriptor_set_out=FILE NAME.proto"

  /// Reads FileDescriptorSets.
  ///
  /// - Parameter deadline: the deadline for the writer of a pipe; nil means 15 s.
  init(
    protosets paths: [String], until deadline: ContinuousClock.Instant? = nil
  ) throws(ErrorReport) {
    let deadline = deadline ?? .now + LocalFile.defaultTimeout
    var files: [FileDescriptorProto] = []
    for path in paths {
      let bytes: [UInt8]
      do throws(FileReadError) {
        bytes = try LocalFile.contents(of: path, limit: Self.fileSetLimit, until: deadline)
      } catch {
        throw ErrorReport("protoset", path, error)
      }
      do throws(DecodingError) {
        files += try FileDescriptorSet(serializedBytes: bytes).file
      } catch {
        throw ErrorReport(
          local: "--protoset: \(escaped(path)): not a FileDescriptorSet: \(error.reason) at byte"
            + " \(error.byteOffset)",
          hint: Self.protosetHint)
      }
    }
    try self.init(files, of: paths, option: "--protoset", hint: Self.protosetHint)
  }

  /// - Parameters:
  ///   - paths: the arguments of the option, for errors.
  ///   - hint: for files that cannot be used.
  init(
    _ files: [FileDescriptorProto], of paths: [String], option: String, hint: String?
  ) throws(ErrorReport) {
    guard !files.isEmpty else {
      throw ErrorReport(
        local: "\(option): \(escaped(paths.joined(separator: ", "))): no file descriptors found",
        hint: hint)
    }
    do throws(DescriptorError) {
      pool = try EmbeddedSchema.pool(files)
    } catch {
      throw ErrorReport(local: "\(option): \(escaped(error.description))", hint: hint)
    }
    self.files = Set(files.map { $0.name ?? "" })
    origin = .files(paths, option: option)
    services = []
    offer(onlyServicesOf: self.files ?? [])
  }

  /// - Parameter files: the names of files in the pool.
  mutating func offer(onlyServicesOf files: Set<String>) {
    services = pool.services.filter { files.contains(pool.files[$0.file].name ?? "") }
      .map(\.fullName).sorted()
  }
}
