/// The reason why a file could not be read completely. Does not contain the name of the file: the
/// caller adds the option or variable that names it.
package enum FileReadError: Error, Hashable, Sendable {
  /// The operating system refused: the file does not exist, is a directory, or may not be read.
  case system(IOError.Code)
  /// The file is larger than this many bytes.
  case tooLarge(limit: Int)
  /// The end did not arrive before the deadline: no process writes to the pipe, or it is too slow.
  case tooLate
  /// The task that read it was canceled.
  case canceled

  package init(_ error: IOError) {
    self =
      switch error.code {
      case .timedOut: .tooLate
      case .canceled: .canceled
      default: .system(error.code)
      }
  }
}

extension FileReadError {
  /// One action for the user that fits any option that names the file; nil if there is none.
  package var hint: String? {
    self == .tooLate ? "check the program that writes the file, if it is a pipe" : nil
  }
}

extension FileReadError: CustomStringConvertible {
  /// "No such file or directory", "larger than 8 MiB"
  package var description: String {
    switch self {
    case .system(let code): code.description
    case .tooLarge(let limit) where limit < 1 << 20: "larger than \(limit >> 10) KiB"
    case .tooLarge(let limit): "larger than \(limit >> 20) MiB"
    case .tooLate: "not read before the deadline"
    case .canceled: "canceled"
    }
  }
}
