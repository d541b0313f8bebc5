import WireIO
import WireSystem

/// Runs the command line of this process as the command `tripwire`, and exits with its exit code.
package func runTripwire() {
  // A reader of stdout that leaves is an error of write(2), not the end of the process.
  signal(SIGPIPE, SIG_IGN)
  // As is a file that may grow no further.
  signal(SIGXFSZ, SIG_IGN)
  openClosedStandardStreams()

  // The command, its connection and TLS all run on this thread: an async main would park it and
  // start a pool of threads, which takes a third of the time of a short command.
  do throws(IOError) {
    let loop = try EventLoop(name: "tripwire")
    Task.detached(executorPreference: loop.taskExecutor) {
      exit(await tripwire(Array(CommandLine.arguments.dropFirst()), .process(on: loop)).rawValue)
    }
    loop.run()
  } catch {
    try? Console.write("error: \(error)\n", to: 2)
    exit(ExitCode.localFailure.rawValue)
  }
}

/// A standard stream that is closed must not become the next socket. Opened the wrong way round it
/// still fails as a closed one does.
private func openClosedStandardStreams() {
  for (file, mode) in [(0, O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)] as [(Int32, Int32)]
  where fcntl(file, F_GETFD) == -1 {
    _ = open("/dev/null", mode)
  }
}
