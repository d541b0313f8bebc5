#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

// A reader of stdout that leaves is an error of write(2), not the end of the process.
signal(SIGPIPE, SIG_IGN)
// A standard stream that is closed must not become the next socket. Opened the wrong way round it
// still fails as a closed one does.
for (file, mode) in [(0, O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)] as [(Int32, Int32)]
where fcntl(file, F_GETFD) == -1 {
  _ = open("/dev/null", mode)
}
exit(await tripwire(Array(CommandLine.arguments.dropFirst()), .process).rawValue)
