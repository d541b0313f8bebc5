import CommandLine
package import WireSystem

/// A line of a file that a user names, or of standard input.
package struct InputLine {
  private let file: String
  private let number: Int
  /// Without white space at its ends. Bytes that are not UTF-8 are replaced by U+FFFD.
  package let text: String

  /// The place of the line in messages: "stdin:3".
  package var place: String { "\(escaped(LocalFile.name(of: file))):\(number)" }

  /// Returns the lines that have text.
  ///
  /// - Parameters:
  ///   - path: of the file; `-` is standard input.
  ///   - limit: the largest size in bytes.
  ///   - deadline: as for ``LocalFile/input(_:limit:until:)``.
  package static func lines(
    of path: String, limit: Int, until deadline: ContinuousClock.Instant? = nil
  ) throws(FileReadError) -> [InputLine] {
    let bytes = try LocalFile.input(path, limit: limit, until: deadline)
    let lines = String(decoding: bytes, as: UTF8.self).unicodeScalars.split(
      omittingEmptySubsequences: false
    ) { $0 == "\n" }
    return lines.enumerated().compactMap { index, line in
      var line = line.drop(while: \.properties.isWhitespace)
      while line.last?.properties.isWhitespace == true { line.removeLast() }
      return line.isEmpty ? nil : InputLine(file: path, number: index + 1, text: String(line))
    }
  }
}
