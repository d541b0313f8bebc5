import CommandLine
package import CommandShell
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
  /// - Parameter deadline: the deadline for the writer of a pipe; nil means 15 s for each file, and none for stdin.
  package init(
    protosets paths: [String], until deadline: ContinuousClock.Instant? = nil
  ) throws(ErrorReport) {
    var files: [FileDescriptorProto] = []
    for path in paths {
      let bytes: [UInt8]
      do throws(FileReadError) {
        bytes = try LocalFile.input(path, limit: Self.fileSetLimit, until: deadline)
      } catch {
        throw ErrorReport("protoset", path, error)
      }
      files += try Self.files(
        in: bytes, from: LocalFile.name(of: path),
        until: deadline ?? .now + LocalFile.defaultTimeout)
    }
    try self.init(
      files, of: paths.map(LocalFile.name), option: "--protoset", hint: Self.protosetHint)
  }

  /// Returns the files of a set, which may be compressed with gzip.
  private static func files(
    in bytes: [UInt8], from name: String, until deadline: ContinuousClock.Instant
  ) throws(ErrorReport) -> [FileDescriptorProto] {
    let reason: String
    do throws(Inflater.Failure) {
      let isPacked = bytes.starts(with: [0x1f, 0x8b])
      let bytes =
        isPacked ? try Inflater.inflate(bytes, limit: fileSetLimit, until: deadline) : bytes
      do throws(DecodingError) {
        return try FileDescriptorSet(serializedBytes: bytes).file
      } catch {
        reason = "not a FileDescriptorSet: \(error.reason) at byte \(error.byteOffset)"
      }
    } catch {
      switch error {
      case .corrupt(let text): reason = "the gzip data is damaged: \(text)"
      case .tooLarge(let limit): reason = "larger than \(limit >> 20) MiB when it is decompressed"
      case .expired: reason = "the deadline passed while it was decompressed"
      }
    }
    throw ErrorReport(local: "--protoset: \(escaped(name)): \(reason)", hint: protosetHint)
  }

  /// - Parameters:
  ///   - names: of the files of the option, for errors.
  ///   - hint: for files that cannot be used.
  init(
    _ files: [FileDescriptorProto], of names: [String], option: String, hint: String?
  ) throws(ErrorReport) {
    guard !files.isEmpty else {
      throw ErrorReport(
        local: "\(option): \(escaped(names.joined(separator: ", "))): no file descriptors found",
        hint: hint)
    }
    pool = try mapError(EmbeddedSchema.pool(files)) { (error: DescriptorError) in
      ErrorReport(local: "\(option): \(escaped(error.description))", hint: hint)
    }
    self.files = Set(files.map { $0.name ?? "" })
    origin = .files(names, option: option)
    services = []
    offer(onlyServicesOf: self.files ?? [])
  }

  /// - Parameter files: the names of files in the pool.
  mutating func offer(onlyServicesOf files: Set<String>) {
    services = pool.services.filter { files.contains(pool.files[$0.file].name ?? "") }
      .map(\.fullName).sorted()
  }
}
