/// Why a file could not be read whole. Does not name the file: whoever asked for it knows the option or
/// the variable that did.
package enum FileReadError: Error, Hashable, Sendable {
  /// The operating system refused: there is no such file, it is a directory, it may not be read.
  case system(IOError.Code)
  /// It has more bytes than this.
  case tooLarge(limit: Int)
  /// Its end had not come when the deadline passed: nobody writes to a pipe, or not fast enough.
  case tooLate
  /// The task that read it was canceled.
  case canceled

  package init(_ error: IOError) {
    self =
      switch error.code {
      case .timedOut: .tooLate
      case .cancelled: .canceled
      default: .system(error.code)
      }
  }
}

extension FileReadError {
  /// One action for the user, whichever option names the file; nil if there is none.
  package var hint: String? {
    guard self == .tooLate else { return nil }
    return "check the program that writes it, or raise --timeout if the command has it"
  }
}

extension FileReadError: CustomStringConvertible {
  /// "No such file or directory", "larger than 8 MiB"
  package var description: String {
    switch self {
    case .system(let code): code.description
    case .tooLarge(let limit) where limit < 1 << 20: "larger than \(limit >> 10) KiB"
    case .tooLarge(let limit): "larger than \(limit >> 20) MiB"
    case .tooLate: "not complete before the deadline"
    case .canceled: "canceled"
    }
  }
}
