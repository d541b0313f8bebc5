import CommandCalls
import CommandLine
import CommandShell
import DynamicProtobuf
import ProtobufDescriptors
import Tripwire
import WireSystem

/// The .proto files that declare symbols, and everything that they import, to write to disk.
package struct SchemaFiles {
  private let pool: DescriptorPool
  /// Indices in the pool, each after its imports.
  private let indices: [Int]
  /// The files from which protoc made the schema.
  private let inputs: Set<FileIdentity>

  /// - Parameters:
  ///   - names: full names of symbols in the schema.
  ///   - protos: the files that were read.
  init(declaring names: [String], in schema: Schema, from protos: ProtoFiles) {
    let pool = schema.pool
    let byName = Dictionary(
      pool.files.enumerated().map { ($1.name ?? "", $0) }, uniquingKeysWith: { first, _ in first })
    var order: [Int] = []
    var seen: Set<Int> = []
    for root in Set(names.compactMap { pool[$0]?.file(in: pool) }).sorted() {
      // Files whose imports are being added, and how many of these are left.
      var stack: [(index: Int, imports: ArraySlice<String>)] = []
      func push(_ name: String) {
        guard let index = byName[name], seen.insert(index).inserted else { return }
        stack.append((index, pool.files[index].imports[...]))
      }
      push(root)
      while let (index, imports) = stack.last {
        if let name = imports.first {
          stack[stack.count - 1].imports.removeFirst()
          push(name)
        } else {
          order.append(index)
          stack.removeLast()
        }
      }
    }
    self.pool = pool
    indices = order
    let paths = protos.paths(of: order.map { pool.files[$0].name ?? "" })
    inputs = Set(paths.compactMap(FileIdentity.ofContent(at:)))
  }

  func writeProtoset(to path: String) throws(ErrorReport) {
    try check(path, for: "--protoset-out")
    let names = Set(indices.map { pool.files[$0].name ?? "" })
    let set = FileDescriptorSet(
      file: indices.map { pool.files[$0].importing(only: names).withPlacedComments })
    let file = try OutputFile(
      path, for: "--protoset-out", replacing: .descriptorSet, isBinary: true)
    try file.write(set.serializedBytes())
    try file.finish()
  }

  /// Writes the files as text below a folder, which is created.
  func writeProtos(to folder: String) throws(ErrorReport) {
    let paths = try indices.map { index throws(ErrorReport) in
      try Self.path(pool.files[index].name ?? "", in: folder)
    }
    for path in paths {
      try check(path, for: "--proto-out-dir")
      try OutputFile.checkPresent(path, for: "--proto-out-dir", replacing: .proto)
    }
    for (index, path) in zip(indices, paths) {
      let file = try OutputFile(
        path, for: "--proto-out-dir", replacing: .proto, createsFolders: true)
      try file.write(Array(ProtoText.text(ofFile: index, in: pool).utf8))
      try file.finish()
    }
  }

  /// Checks that a file was not read.
  private func check(_ path: String, for option: String) throws(ErrorReport) {
    guard let identity = FileIdentity.ofContent(at: path), inputs.contains(identity) else { return }
    throw ErrorReport(
      CommandFile(option: option, path: path, use: .output).conflict(CommandFile.isRead))
  }

  package static let nameHint = "write one file with --protoset-out FILE instead"

  /// Returns the path of a file, whose name a server may have chosen.
  private static func path(_ name: String, in folder: String) throws(ErrorReport) -> String {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard !name.utf8.contains(0), parts.allSatisfy({ !["", ".", ".."].contains($0) }) else {
      throw ErrorReport(
        local: "--proto-out-dir: the file name \(shown(name)) does not stay in the folder",
        hint: Self.nameHint)
    }
    return "\(folder)/\(name)"
  }
}

extension OutputFile.Kind {
  /// A set begins with a file, and a file with its name. Text may begin with line feeds, too.
  fileprivate static let descriptorSet = OutputFile.Kind(name: "a FileDescriptorSet") { bytes in
    let file = bytes.dropFirst().drop { $0 >= 0x80 }.dropFirst()
    let length = file.dropFirst().first.map { Int(min($0, 0x7f)) } ?? 0
    let name = file.dropFirst().drop { $0 >= 0x80 }.dropFirst().prefix(length)
    return bytes.first == 0x0a && file.first == 0x0a && name.count == length
      && name.allSatisfy { $0 >= 0x20 }
  }

  fileprivate static let proto = OutputFile.Kind(name: "a .proto file") { bytes in
    ["syntax", "edition", "package", "//", "/*"].contains { bytes.starts(with: $0.utf8) }
  }
}

extension FileDescriptorProto {
  /// Returns the file without imports of other files than these. A server may lack imported
  /// files that nothing uses. Other programs reject imports of missing files.
  fileprivate func importing(only names: Set<String>) -> FileDescriptorProto {
    let kept = dependency.indices.filter { names.contains(dependency[$0]) }
    guard kept.count < dependency.count else { return self }
    func renumbered(_ indices: [Int32]) -> [Int32] {
      indices.compactMap { index in kept.firstIndex(of: Int(index)).map(Int32.init) }
    }
    var file = self
    file.dependency = kept.map { dependency[$0] }
    file.publicDependency = renumbered(publicDependency)
    file.weakDependency = renumbered(weakDependency)
    return file
  }
}
