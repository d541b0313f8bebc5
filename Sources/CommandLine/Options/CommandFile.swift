import WireSystem

/// A file that an option names.
package struct CommandFile: Sendable {
  package enum Use: Sendable {
    case input
    case output
    /// Written while the command writes to stdout and stderr.
    case concurrentOutput
  }

  /// "--map".
  package let option: String
  package let path: String
  package let use: Use

  package init(option: String, path: String, use: Use) {
    self.option = option
    self.path = path
    self.use = use
  }

  package static let isRead = "this file is being read"
  package static func isSame(_ other: String) -> String { "the same file as \(other)" }

  package func conflict(_ reason: String) -> UsageError {
    UsageError(
      message: "\(option) \(escaped(path)): \(reason)", options: [String(option.dropFirst(2))],
      hint: "choose another path for \(option)")
  }
}

extension Option {
  /// Returns the option, which writes the file that its argument names.
  package func writing(_ use: CommandFile.Use = .output) -> Option {
    var option = self
    option.fileUse = use
    return option
  }

  /// Returns the file that an argument names; nil if it names none.
  package func file(_ argument: String) -> CommandFile? {
    if argument.hasPrefix("@") {
      return CommandFile(option: "--\(long)", path: String(argument.dropFirst()), use: .input)
    }
    return fileUse.map { CommandFile(option: "--\(long)", path: argument, use: $0) }
  }
}

extension ParsedCommandLine {
  /// Returns an error if an output is a file that the command reads, whatever its name, or that it writes for
  /// another option.
  ///
  /// - Parameter operands: files that are read, besides those of options and stdin.
  package func outputConflict(reading operands: [String] = []) -> UsageError? {
    let paths = files.filter { $0.use == .input }.map(\.path) + operands
    let inputs = Set(
      (paths.map(FileIdentity.ofContent(at:)) + [FileIdentity.ofContent(at: STDIN_FILENO)])
        .compactMap(\.self))
    var outputs: [FileIdentity: String] = [:]
    for file in files where file.use != .input {
      // A path that leads nowhere is reported when it is opened.
      guard let destination = try? OutputDestination(file.path) else { continue }
      if file.use == .concurrentOutput, let name = destination.nameOfStandardStream {
        return file.conflict(CommandFile.isSame(name))
      }
      guard let identity = destination.identity else { continue }
      if inputs.contains(identity) { return file.conflict(CommandFile.isRead) }
      if let other = outputs.updateValue(file.option, forKey: identity), other != file.option {
        return file.conflict(CommandFile.isSame(other))
      }
    }
    return nil
  }
}

extension OutputDestination {
  /// "stdout" if what is written there goes to the same place; nil if nothing does.
  fileprivate var nameOfStandardStream: String? {
    [(STDOUT_FILENO, "stdout"), (STDERR_FILENO, "stderr")].first { number, _ in
      self == .descriptor(number)
        || identity.map { $0 == FileIdentity.ofContent(at: number) } ?? false
    }?.1
  }
}
