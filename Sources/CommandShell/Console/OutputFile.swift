import CommandLine
import WireSystem

/// The output that an option of a command names, in the place that its path leads to.
///
/// A file is never incomplete: it gets its name when it is finished. A pipe, a device or a descriptor gets the bytes as
/// they are written.
package final class OutputFile {
  private static let chunk = 1 << 16

  /// The kind of the files that an option writes, and may replace.
  package struct Kind: Sendable {
    /// "a map page".
    package let name: String
    /// Whether a file with these first bytes is of this kind.
    let isOwn: @Sendable ([UInt8]) -> Bool

    package init(name: String, isOwn: @escaping @Sendable ([UInt8]) -> Bool) {
      self.name = name
      self.isOwn = isOwn
    }

    /// The number of first bytes that decide.
    fileprivate static let length = 1 << 10
  }

  private enum Output {
    case direct(DirectOutput)
    case file(ReplacementFile, path: String)
  }

  /// "--map out.html", safe for a terminal.
  package let name: String
  /// "out.html", safe for a terminal.
  package let place: String
  private let option: String
  private let kind: Kind?
  private let output: Output
  private var pending: [UInt8] = []

  /// Creates the output. Waits until a process reads the path, if it is a FIFO.
  ///
  /// - Parameters:
  ///   - path: `-` is stdout.
  ///   - option: the option that has the path, such as "--map".
  ///   - kind: the files that it may replace; nil for empty ones only.
  ///   - isBinary: whether a terminal cannot show it.
  ///   - createsFolders: whether the folders of the path are created.
  /// - Throws: a report if the file cannot be created, or another one has its path.
  package init(
    _ path: String, for option: String, replacing kind: Kind? = nil, isBinary: Bool = false,
    createsFolders: Bool = false
  ) throws(ErrorReport) {
    (self.option, self.kind) = (option, kind)
    name = "\(option) \(escaped(path))"
    place = path == "-" ? "stdout" : escaped(path)
    let destination: OutputDestination
    let direct: DirectOutput?
    do throws(IOError) {
      destination = try OutputDestination(path)
      direct = try DirectOutput(destination, waitsForReader: true)
    } catch {
      throw Self.error(name, error.code, hint: "choose another path for \(option)")
    }
    if case .file(let path) = destination {
      try Self.checkPresent(path, name, for: option, replacing: kind)
      do throws(IOError) {
        if createsFolders { try createDirectories(above: path) }
        output = .file(try ReplacementFile(of: path), path: path)
      } catch {
        throw Self.error(
          name, error.code, hint: "check that the directory of \(option) exists and is writable")
      }
    } else if let direct, !isBinary || !direct.isTerminal {
      output = .direct(direct)
    } else {
      throw ErrorReport(
        local: "\(name): binary data is not written to a terminal",
        hint: "pass a file or a pipe with \(option)")
    }
  }

  /// Checks that a file may be replaced: it is empty, or of the kind that the option writes.
  package static func checkPresent(
    _ path: String, _ name: String? = nil, for option: String, replacing kind: Kind?
  ) throws(ErrorReport) {
    let name = name ?? "\(option) \(escaped(path))"
    let beginning: [UInt8]
    do throws(IOError) {
      beginning = try LocalFile(path).next()
      guard access(path, W_OK) == 0 else { throw IOError(operation: "write \(path)") }
    } catch {
      if error.code == .noSuchFile { return }
      throw Self.error(name, error.code, hint: "choose another path for \(option)")
    }
    guard !beginning.isEmpty, kind?.isOwn(Array(beginning.prefix(Kind.length))) != true else {
      return
    }
    throw refusal(name, for: option, replacing: kind)
  }

  /// The error of a file that the option does not replace.
  package static func refusal(
    _ name: String, for option: String, replacing kind: Kind?
  ) -> ErrorReport {
    let reason =
      kind.map { "the existing file is not \($0.name), and is not replaced" }
      ?? "\(IOError.Code.fileExists)"
    return ErrorReport(
      local: "\(name): \(reason)",
      hint: "choose another path for \(option), or remove the existing file")
  }

  private static func error(_ name: String, _ code: IOError.Code, hint: String) -> ErrorReport {
    ErrorReport(local: "\(name): \(code)", hint: hint)
  }

  package func write(_ bytes: [UInt8]) throws(ErrorReport) {
    pending += bytes
    if pending.count >= Self.chunk { try flush() }
  }

  /// Writes the rest, and gives a file its name.
  package func finish() throws(ErrorReport) {
    try flush()
    guard case .file(let file, let path) = output else { return }
    try Self.checkPresent(path, name, for: option, replacing: kind)
    do throws(IOError) {
      try file.finish()
    } catch {
      throw Self.error(name, error.code, hint: "choose another path for \(option)")
    }
  }

  private func flush() throws(ErrorReport) {
    do throws(IOError) {
      switch output {
      case .direct(let output):
        if let failure = output.write(pending[...]).failure { throw failure }
      case .file(let file, _): try file.write(pending)
      }
    } catch {
      throw failure(error.code)
    }
    pending = []
  }

  private func failure(_ code: IOError.Code) -> ErrorReport {
    switch (output, code) {
    // As for any output to a pipe that nobody reads any more.
    case (.direct, .brokenPipe): ErrorReport(OutputError(errno: EPIPE))
    case (_, .init(rawValue: ENOSPC)):
      Self.error(name, code, hint: "free disk space, or choose another path for \(option)")
    case (.direct, _): Self.error(name, code, hint: "check the output that \(option) names")
    case (.file, _): Self.error(name, code, hint: "check the file system of this file")
    }
  }
}
