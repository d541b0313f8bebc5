import WireSystem

/// Commands that other programs carry out: `tripwire map` runs `tripwire-map`.
enum HelperProgram {
  /// The commands that come with tripwire.
  static let known = [(name: "map", summary: mapSummary)]

  /// Runs the helper of a command in place of this process. Returns if there is none, or it cannot be
  /// started.
  static func run(_ name: String, _ arguments: [String], path: String?) {
    guard isName(name) else { return }
    for file in candidates("tripwire-\(name)", path: path) where isExecutable(file) {
      replaceProcess(file, arguments)
    }
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

  private static func isExecutable(_ file: String) -> Bool {
    var status = stat()
    return stat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      && access(file, X_OK) == 0
  }

  private static func replaceProcess(_ file: String, _ arguments: [String]) {
    var pointers = ([file] + arguments).map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    pointers.append(nil)
    // The helper begins with the signal actions of a new process.
    signal(SIGPIPE, SIG_DFL)
    signal(SIGXFSZ, SIG_DFL)
    execv(file, &pointers)
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }
}

let mapSummary = "show trips on a map in the browser"
