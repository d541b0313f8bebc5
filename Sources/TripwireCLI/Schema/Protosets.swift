import DynamicProtobuf
import ProtobufDescriptors
import Tripwire
import WireIO

extension Schema {
  /// What files hold.
  init(protosets paths: [String]) throws(ErrorReport) {
    var files: [FileDescriptorProto] = []
    for path in paths {
      let bytes: [UInt8]
      do throws(IOError) {
        bytes = try LocalFile.contents(of: path)
      } catch {
        throw ErrorReport(local: "--protoset \(escaped(path)): \(error.code)")
      }
      do throws(DecodingError) {
        files += try FileDescriptorSet(serializedBytes: bytes).file
      } catch {
        throw ErrorReport(
          local: "--protoset \(escaped(path)) is no FileDescriptorSet: \(error)",
          hint: "protoc --include_imports --descriptor_set_out=FILE makes one of .proto files")
      }
    }
    guard !files.isEmpty else {
      throw ErrorReport(
        local: "--protoset \(escaped(paths.joined(separator: ", "))): no files in it")
    }
    let pool: DescriptorPool
    do throws(ErrorReport) {
      pool = try EmbeddedSchema.pool(files)
    } catch {
      var error = error
      error.message = "--protoset: \(error.message)"
      error.hint = "protoc --include_imports puts all that is imported into the file"
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
