import ProtobufDescriptors

/// The comments of a .proto file, by the path of the element that follows.
struct Comments {
  private let locations: [[Int32]: SourceCodeInfo.Location]

  init(_ file: FileDescriptorProto) {
    let locations = file.sourceCodeInfo?.location ?? []
    self.locations = Dictionary(
      locations.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The lines of the comment before an element and of the one after it.
  func lines(at path: [Int32]) -> [String] {
    guard let location = locations[path] else { return [] }
    return [location.leadingComments, location.trailingComments]
      .compactMap { $0.map(Self.lines) }
      .filter { !$0.isEmpty }
      .joined(separator: [""])
      .map { $0 }
  }

  private static func lines(_ comment: String) -> [String] {
    var lines = comment.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      // protoc keeps the space after the slashes; other white space would end the comment.
      var text = String(line.map { $0.isNewline || $0 == "\t" ? " " : $0 })
      if text.first == " " { text.removeFirst() }
      while text.last == " " { text.removeLast() }
      return text
    }
    while lines.last == "" { lines.removeLast() }
    while lines.first == "" { lines.removeFirst() }
    return lines
  }
}
