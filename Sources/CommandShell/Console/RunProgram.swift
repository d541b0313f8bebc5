import WireIO
import WireSystem

/// Runs the command line of this process, and exits with the exit code of the command.
package func runProgram(
  _ body: @escaping @Sendable ([String], Console) async -> ExitCode
) {
  prepareSignals()
  openClosedStandardStreams()

  // The command, its connection and TLS run on this thread. An async main would start a pool of threads,
  // which takes a third of the time of a short command.
  do throws(IOError) {
    let loop = try EventLoop(name: "tripwire")
    Task.detached(executorPreference: loop.taskExecutor) {
      let console = Console.process(on: loop)
      console.announceTerminalInput()
      let code = await body(Array(CommandLine.arguments.dropFirst()), console)
      console.waitLine.end()
      ChildProcess.endAll()
      exit(code.rawValue)
    }
    loop.run()
  } catch {
    try? Console.write("error: \(error)\n", to: 2)
    exit(ExitCode.localFailure.rawValue)
  }
}

/// Sets the signal mask and the actions that the command needs, whatever the parent process left.
private func prepareSignals() {
  // A parent that starts programs from a thread of libdispatch, as Foundation's Process does, passes on a
  // mask that blocks SIGTERM and SIGINT.
  var none = sigset_t()
  sigemptyset(&none)
  sigprocmask(SIG_SETMASK, &none, nil)
  // If the reader of stdout closes it, write(2) returns an error instead of ending the process.
  signal(SIGPIPE, SIG_IGN)
  // A write to a file at its size limit then returns an error, too.
  signal(SIGXFSZ, SIG_IGN)
  // If it is ignored, the exit codes of children are lost.
  signal(SIGCHLD, SIG_DFL)
  // The runtime of the toolchain prints a backtrace at SIGQUIT (Ctrl-\), and continues.
  onSignal(SIGQUIT, SIG_DFL)
}

/// Opens closed standard streams, so that none of them becomes the next socket. They are opened in the
/// wrong direction, so that they still fail like closed ones.
private func openClosedStandardStreams() {
  for (file, mode) in [(0, O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)] as [(Int32, Int32)]
  where fcntl(file, F_GETFD) == -1 {
    _ = open("/dev/null", mode)
  }
}
