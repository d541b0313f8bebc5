import CommandLine
import CommandShell
package import DynamicProtobuf
import ProtobufDescriptors
import WireProtobuf

/// The services, types and extensions that the files of a package declare, without nested ones.
package struct PackageContents {
  package let name: String
  /// Full names, sorted.
  let services: [String]
  let messages: [String]
  let enums: [String]
  let extensions: [String]

  /// Nil if no file has this package.
  package init?(_ name: String, in pool: DescriptorPool) {
    let files = pool.files.filter { $0.package == name }
    guard !name.isEmpty, !files.isEmpty else { return nil }
    func full(_ names: [String?]) -> [String] {
      names.compactMap { $0 }.map { "\(name).\($0)" }.sorted()
    }
    self.name = name
    services = full(files.flatMap { $0.service.map(\.name) })
    messages = full(files.flatMap { $0.messageType.map(\.name) })
    enums = full(files.flatMap { $0.enumType.map(\.name) })
    extensions = full(files.flatMap { $0.extension.map(\.name) })
  }

  /// The full names of all of them.
  package var symbols: [String] { services + messages + enums + extensions }

  /// One line for each: "service a.S".
  package var text: String {
    let lines =
      ["package \(name)"] + services.map { "service \($0)" } + messages.map { "message \($0)" }
      + enums.map { "enum \($0)" } + extensions.map { "extension \($0)" }
    return lines.map { escaped($0) + "\n" }.joined()
  }

  package var json: String {
    let json = JSONWriter.object { json in
      json.member("package", name)
      json.member("services", services)
      json.member("messages", messages)
      json.member("enums", enums)
      json.member("extensions", extensions)
    }
    return escapedJSON(json) + "\n"
  }
}
