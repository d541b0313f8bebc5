import CommandLine
package import CommandShell
import DynamicProtobuf
import WireProtobuf

extension EmbeddedSchema {
  package static func schema() throws(ErrorReport) -> Schema {
    let pool = try mapError(Self.pool([])) { (error: DescriptorError) in
      ErrorReport(local: escaped(error.description))
    }
    return Schema(
      pool: pool, origin: .embedded, services: pool.services.map(\.fullName).sorted())
  }
}
