import CSQLite

/// A file that cannot keep the resources of an emulator.
package struct StateFileError: Error, CustomStringConvertible {
  private let path: String
  let reason: String
  /// One action.
  package let hint: String
  private(set) var isDiskFull = false

  package var description: String { "\(path): \(reason)" }

  static func notRegular(_ path: String) -> Self {
    Self(path: path, reason: "it is not a regular file", hint: "pass the path of a file")
  }

  static func ofAnotherProgram(_ path: String) -> Self {
    Self(
      path: path, reason: "it is the database of another program",
      hint: "pass the path of a new file")
  }

  static func ofAnotherVersion(_ path: String) -> Self {
    Self(
      path: path, reason: "it is the database of another version of tripwire",
      hint: "update tripwire, or pass the path of a new file")
  }

  static func readOnly(_ path: String) -> Self {
    Self(path: path, reason: "it cannot be written", hint: "check the permissions of the file")
  }

  static func damaged(_ path: String, _ reason: String) -> Self {
    Self(
      path: path, reason: "it is damaged: \(reason)",
      hint: "pass the path of a copy or of a new file")
  }
}

extension StateFileError {
  /// - Parameters:
  ///   - status: that of a function of SQLite.
  ///   - message: in the words of SQLite.
  init(_ path: String, _ status: Int32, _ message: String) {
    // The upper bits are details.
    switch status & 0xff {
    case SQLITE_NOTADB:
      self.init(
        path: path, reason: "it is not an SQLite database", hint: "pass the path of a new file")
    case SQLITE_CORRUPT: self = .damaged(path, message)
    case SQLITE_BUSY:
      self.init(
        path: path, reason: "another process uses it",
        hint: "stop the other emulator, or pass the path of another file")
    case SQLITE_FULL:
      self.init(path: path, reason: message, hint: "free space on the disk", isDiskFull: true)
    default:
      self.init(
        path: path, reason: message, hint: "check the path, and the permissions of its folder")
    }
  }
}
