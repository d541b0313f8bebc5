import WireSystem

/// Programs that take the place of this process.
package enum ProgramFile {
  package static func isRegular(_ file: String) -> Bool {
    var status = stat()
    return stat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  private static func isExecutable(_ file: String) -> Bool {
    isRegular(file) && access(file, X_OK) == 0
  }

  /// Whether a program is on the PATH, or is the path of one.
  static func exists(_ program: String, path: String?) -> Bool {
    if program.contains("/") { return isExecutable(program) }
    return (path ?? "").split(separator: ":").contains { isExecutable("\($0)/\(program)") }
  }

  /// Runs a program in place of this process. Returns the number of the error if it cannot be started.
  @discardableResult
  package static func replaceProcess(_ file: String, _ arguments: [String]) -> Int32 {
    var pointers = ([file] + arguments).map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    pointers.append(nil)
    // The program begins with the signal actions of a new process.
    signal(SIGPIPE, SIG_DFL)
    signal(SIGXFSZ, SIG_DFL)
    execv(file, &pointers)
    let reason = errno
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    return reason
  }
}
