import ProtobufDescriptors

/// The comments of a file by path (google.protobuf.SourceCodeInfo), as lines that start with "//".
struct SourceComments {
  private var comments: [[Int32]: (leading: String?, trailing: String?)] = [:]

  init(_ file: FileDescriptorProto) {
    for location in file.sourceCodeInfo?.location ?? []
    where location.leadingComments != nil || location.trailingComments != nil {
      comments[location.path] = (location.leadingComments, location.trailingComments)
    }
  }

  /// Returns the comment before an element.
  func leading(_ path: [Int32]) -> [String] { Self.lines(comments[path]?.leading) }

  /// Returns the comment beside or below an element.
  func trailing(_ path: [Int32]) -> [String] { Self.lines(comments[path]?.trailing) }

  private static func lines(_ comment: String?) -> [String] {
    guard let comment else { return [] }
    var lines = comment.split(separator: "\n", omittingEmptySubsequences: false)
    while lines.last?.allSatisfy({ $0 == " " }) == true { lines.removeLast() }
    return lines.map { line in
      let text = line.filter { $0 == "\t" || !($0.unicodeScalars.first?.isInvisible ?? false) }
      return "//" + (text.isEmpty || text.hasPrefix(" ") ? "" : " ") + text
    }
  }
}

extension Unicode.Scalar {
  /// Whether this is a control character, or one that changes the direction or the lines of text.
  var isInvisible: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
