import CommandLine
package import DynamicProtobuf
import ProtobufDescriptors
import WireProtobuf

/// The services, types and extensions that the files of a package declare, without nested ones.
package struct PackageContents {
  package let name: String
  /// Full names, sorted, by the keyword in .proto files.
  private let groups: [(keyword: String, names: [String])]

  /// Nil if no file has this package.
  package init?(_ name: String, in pool: DescriptorPool) {
    let files = pool.files.filter { $0.package == name }
    guard !name.isEmpty, !files.isEmpty else { return nil }
    func full(_ names: [String?]) -> [String] {
      names.compactMap { $0 }.map { "\(name).\($0)" }.sorted()
    }
    self.name = name
    groups = [
      ("service", full(files.flatMap { $0.service.map(\.name) })),
      ("message", full(files.flatMap { $0.messageType.map(\.name) })),
      ("enum", full(files.flatMap { $0.enumType.map(\.name) })),
      ("extension", full(files.flatMap { $0.extension.map(\.name) })),
    ]
  }

  package var symbols: [String] { groups.flatMap(\.names) }

  /// One line for each: "service a.S".
  package var text: String {
    let lines = groups.flatMap { group in group.names.map { "\(group.keyword) \($0)" } }
    return (["package \(name)"] + lines).map { escaped($0) + "\n" }.joined()
  }

  package var json: String {
    let json = JSONWriter.object { json in
      json.member("package", name)
      for (keyword, names) in groups { json.member(keyword + "s", names) }
    }
    return escapedJSON(json) + "\n"
  }
}
