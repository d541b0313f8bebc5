import WireSystem

/// Commands that other programs carry out: `tripwire map` runs `tripwire-map`.
enum HelperProgram {
  /// The commands that come with tripwire, and the package of each.
  static let known: [(name: String, summary: String, package: String)] = [
    ("map", mapSummary, "tripwire")
  ]

  /// Runs the helper of a command in place of this process. Returns an error if it cannot be started;
  /// nil if there is none.
  static func run(_ name: String, _ arguments: [String], path: String?) -> ErrorReport? {
    guard isName(name) else { return nil }
    var errors: [ErrorReport] = []
    for file in candidates("tripwire-\(name)", path: path) where isRegular(file) {
      let message = "'tripwire \(name)' cannot run \(escaped(file)): "
      guard access(file, X_OK) == 0 else {
        errors.append(
          ErrorReport(
            local: message + "it is not executable", hint: "run: chmod +x \(escaped(file))"))
        continue
      }
      let reason = replaceProcess(file, arguments)
      errors.append(ErrorReport(local: message + String(cString: strerror(reason))))
    }
    return errors.first
  }

  /// Beside the running program first, then on the PATH.
  private static func candidates(_ program: String, path: String?) -> [String] {
    // An empty entry of PATH means the working directory, which may have anybody's program.
    let searched = (path ?? "").split(separator: ":").map(String.init)
    return ([ExecutablePath.directory].compactMap { $0 } + searched).map { "\($0)/\(program)" }
  }

  private static func isName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 64
      && name.utf8.allSatisfy { byte in
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
          || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: "-")
      } && name.utf8.first != UInt8(ascii: "-")
  }

  private static func isRegular(_ file: String) -> Bool {
    var status = stat()
    return stat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Returns the number of the error if the program cannot be started.
  private static func replaceProcess(_ file: String, _ arguments: [String]) -> Int32 {
    var pointers = ([file] + arguments).map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    pointers.append(nil)
    // The helper begins with the signal actions of a new process.
    signal(SIGPIPE, SIG_DFL)
    signal(SIGXFSZ, SIG_DFL)
    execv(file, &pointers)
    let reason = errno
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    return reason
  }
}

let mapSummary = "show trips on a map in the browser"
