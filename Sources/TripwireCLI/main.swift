#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

// A reader of stdout that leaves is an error of write(2), not the end of the process.
signal(SIGPIPE, SIG_IGN)
exit(await tripwire(Array(CommandLine.arguments.dropFirst()), .process).rawValue)
