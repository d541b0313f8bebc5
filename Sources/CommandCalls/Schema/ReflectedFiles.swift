import CommandLine
import DynamicProtobuf
import ProtobufDescriptors

/// The files that a server returned.
struct ReflectedFiles {
  private var files: [String: FileDescriptorProto] = [:]
  /// The file that declares each message, enum and service.
  private var declaring: [String: String] = [:]
  /// The names under which the server has files that others import under the keys.
  private(set) var relocated: [String: String] = [:]

  /// The files by name.
  var all: [FileDescriptorProto] { names.compactMap { files[$0] } }
  var names: [String] { files.keys.sorted() }
  var count: Int { files.count }

  subscript(name: String) -> FileDescriptorProto? { files[name] }

  func declares(_ symbol: String) -> Bool { declaring[symbol] != nil }

  /// Adds a file and returns its imports. If several files have the same name, the first is used.
  mutating func insert(_ file: FileDescriptorProto) -> [String] {
    let name = file.name ?? ""
    guard files[name] == nil, !file.isPlaceholder else { return [] }
    files[name] = file
    for symbol in file.declaredNames where declaring[symbol] == nil { declaring[symbol] = name }
    return file.imports
  }

  /// The types that no file declares, but that files with missing imports use.
  var undeclaredTypes: [String] {
    all.filter { !missingImports(of: $0).isEmpty }
      .flatMap { $0.usedTypeNames.filter { !declares($0) } }
  }

  private func missingImports(of file: FileDescriptorProto) -> [String] {
    file.dependency.filter { files[$0] == nil }
  }

  // MARK: Imports under other names

  /// Returns the files with imports that name the files that the server has.
  func relinked() -> ReflectedFiles {
    var linked = self
    for file in all where !missingImports(of: file).isEmpty {
      linked.files[file.name ?? ""] = linked.relink(file, in: self)
    }
    return linked
  }

  private mutating func relink(
    _ file: FileDescriptorProto, in files: ReflectedFiles
  ) -> FileDescriptorProto {
    var file = file
    var missing = files.missingImports(of: file)
    var needed = Set(file.usedTypeNames.compactMap { files.declaring[$0] })
      .subtracting(files.visibleFiles(of: file)).sorted()
    // Names that end alike belong together. The others are matched in order.
    for isSimilar in [true, false] {
      for name in needed {
        guard
          let index = missing.firstIndex(where: {
            !isSimilar || Self.lastPart($0) == Self.lastPart(name)
          })
        else { continue }
        let old = missing.remove(at: index)
        needed.removeAll { $0 == name }
        relocated[old] = name
        if let place = file.dependency.firstIndex(of: old) { file.dependency[place] = name }
      }
    }
    file.dependency += needed
    return file
  }

  private static func lastPart(_ path: String) -> Substring? { path.split(separator: "/").last }

  /// The file itself, its imports, and everything that they import publicly.
  private func visibleFiles(of file: FileDescriptorProto) -> Set<String> {
    var visible: Set = [file.name ?? ""]
    var next = file.dependency
    while let name = next.popLast() {
      guard visible.insert(name).inserted, let file = files[name] else { continue }
      next += file.publicDependency.map(Int.init).filter(file.dependency.indices.contains)
        .map { file.dependency[$0] }
    }
    return visible
  }

  /// Reports the imports under other names; nil if there are none.
  var warning: String? {
    guard !relocated.isEmpty else { return nil }
    let shown = relocated.sorted { $0.key < $1.key }.prefix(Self.shownImports)
      .map { "\(escaped($0.value)) for \(escaped($0.key))" }
    let rest = relocated.count - shown.count
    return "the server has imported files under other names: "
      + shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }

  private static let shownImports = 8
}
