package import WireGRPC
package import WireIO
import WireSystem

/// The standard streams, the environment and the clock of a command; tests pass their own.
package struct Console: Sendable {
  /// Writes data to stdout. On a terminal, credentials are masked.
  package let output: @Sendable (String) throws(OutputError) -> Void
  package let outputIsTerminal: @Sendable () -> Bool
  /// Writes errors, warnings and traces to stderr, with credentials masked.
  package var error: @Sendable (String) -> Void
  /// Writes text in which credentials are masked already to stderr.
  let maskedError: @Sendable (String) -> Void
  package let errorIsTerminal: @Sendable () -> Bool
  package let environment: @Sendable (String) -> String?
  package var clock: @Sendable () -> WallClock
  /// The loop that the command runs on. Calls from it need no change of thread.
  package let loop: EventLoop?
  /// Knows the credentials of all calls.
  package let redactor: CredentialRedactor
  /// Whether warnings are omitted.
  package var isQuiet = false
  /// Collects warnings for --error-format json; nil writes them as text.
  var jsonWarnings: JSONWarnings?
  /// The choice of --color.
  var color = Palette.Choice.auto
  /// Returns the options that profiles may contain. Only errors and 'config' need it, and it takes long.
  package var settings: @Sendable () -> ProfileSettings = { ProfileSettings([]) }
  /// Says on stderr what the command waits for.
  package let waitLine: WaitLine

  init(
    output: @escaping @Sendable (String) throws(OutputError) -> Void,
    outputIsTerminal: @escaping @Sendable () -> Bool,
    error: @escaping @Sendable (String) -> Void,
    errorIsTerminal: @escaping @Sendable () -> Bool,
    environment: @escaping @Sendable (String) -> String?,
    clock: @escaping @Sendable () -> WallClock, loop: EventLoop? = nil
  ) {
    let redactor = CredentialRedactor(memory: 64)
    let waitLine = WaitLine(isTerminal: errorIsTerminal, write: error)
    self.waitLine = waitLine
    self.output = { (text) throws(OutputError) in
      // Behind a pipe there may be a pager, which draws on the terminal.
      if outputIsTerminal() { waitLine.hide() } else { waitLine.end() }
      try output(outputIsTerminal() ? redactor.redacted(text) : text)
    }
    self.outputIsTerminal = outputIsTerminal
    self.error = { text in
      waitLine.hide()
      error(redactor.redacted(text))
    }
    maskedError = { text in
      waitLine.hide()
      error(text)
    }
    self.errorIsTerminal = errorIsTerminal
    self.environment = environment
    self.clock = clock
    self.loop = loop
    self.redactor = redactor
  }

  package var outputPalette: Palette {
    Palette(color, isTerminal: outputIsTerminal(), environment: environment)
  }

  var errorPalette: Palette {
    Palette(color, isTerminal: errorIsTerminal(), environment: environment)
  }

  /// The console of this process, for a command that runs on `loop`.
  static func process(on loop: EventLoop) -> Console {
    Console(
      output: { (text) throws(OutputError) in try write(text, to: 1) },
      outputIsTerminal: { isatty(1) == 1 },
      // There is no place to report that stderr cannot be written.
      error: { text in try? write(text, to: 2) },
      errorIsTerminal: { isatty(2) == 1 },
      environment: { name in getenv(name).map { String(cString: $0) } },
      clock: { WallClock.system() },
      loop: loop)
  }

  /// Says so on stderr when a command begins to read a terminal.
  func announceTerminalInput() {
    LocalFile.willReadTerminal.withLock {
      $0 = { [self] in
        waitLine.end()
        if errorIsTerminal() { error("reading from the terminal; press Ctrl-D to end the input\n") }
      }
    }
  }

  /// - Throws: ``ErrorReport`` if the program has no event loop, which does not occur.
  package func requiredLoop() throws(ErrorReport) -> EventLoop {
    guard let loop else {
      throw ErrorReport(
        local: "the event loop did not start", hint: "report this as a bug in tripwire")
    }
    return loop
  }

  /// Suspends the calling task for the time, with a timer of the loop if there is one.
  ///
  /// - Returns: false if the task was canceled before.
  package func sleep(for time: Duration) async -> Bool {
    guard let loop else { return (try? await Task.sleep(for: time)) != nil }
    return await loop.sleep(until: .now + time)
  }

  static func write(_ text: String, to file: Int32) throws(OutputError) {
    var text = text
    let isWritten = text.withUTF8 { bytes in
      SystemCalls.write(UnsafeRawBufferPointer(bytes), to: file, patience: -1) == bytes.count
    }
    if !isWritten { throw OutputError(errno: errno) }
  }
}

/// A failure to write stdout.
package struct OutputError: Error {
  package let errno: Int32

  package init(errno: Int32) {
    self.errno = errno
  }

  var exitCode: ExitCode { errno == EPIPE ? .brokenPipe : .localFailure }

  /// Nil if the reader closed the pipe, which is not reported.
  var message: String? {
    errno == EPIPE ? nil : "cannot write to stdout: \(String(cString: strerror(errno)))"
  }

  /// Nil without a message.
  var hint: String? {
    switch errno {
    case EPIPE: nil
    case ENOSPC: "free space on the disk, or write to another one"
    default: "check the file or device that stdout is redirected to"
    }
  }
}
