import WireSystem

/// The program that shows long texts on a terminal.
package enum Pager {
  /// Runs the pager in place of this process, with the text on its stdin. Returns if there is none, or if
  /// the text does not fit into a pipe.
  ///
  /// The pager is `TRIPWIRE_PAGER`, else `PAGER`, else `less`. An empty value or `cat` disables it.
  package static func run(_ text: String, _ environment: (String) -> String?) {
    let command = environment("TRIPWIRE_PAGER") ?? environment("PAGER") ?? "less"
    guard let program = command.split(separator: " ").first, program != "cat",
      ProgramFile.exists(String(program), path: environment("PATH")),
      let input = pipe(with: text)
    else { return }
    // less then prints at once what fits on the screen, and leaves it there.
    setenv("LESS", "FRX", 0)
    let stdin = dup(STDIN_FILENO)
    dup2(input, STDIN_FILENO)
    close(input)
    ProgramFile.replaceProcess("/bin/sh", ["-c", command])
    dup2(stdin, STDIN_FILENO)
    close(stdin)
  }

  /// Returns the read end of a pipe that holds the text; nil if the text does not fit.
  private static func pipe(with text: String) -> Int32? {
    // Both ends are closed by exec, and do not block.
    guard let ends = SystemCalls.pipe() else { return nil }
    defer { close(ends.write) }
    var text = text
    let isWhole = text.withUTF8 { bytes in
      write(ends.write, bytes.baseAddress, bytes.count) == bytes.count
    }
    guard isWhole, fcntl(ends.read, F_SETFL, 0) == 0 else {
      close(ends.read)
      return nil
    }
    return ends.read
  }
}
