import TestSupport
import Testing
import WireSystem

@Suite struct OutputDestinationTests {
  private func destination(_ path: String) throws -> OutputDestination {
    try OutputDestination(path)
  }

  /// A descriptor without close-on-exec, as a parent process passes it on.
  private func inherited(_ path: String, _ flags: Int32) -> Int32 { open(path, flags, 0o600) }

  @Test func pathOfAFileOrOfNoneIsAFile() async throws {
    try await withTemporaryDirectory { folder in
      #expect(try destination(folder + "/none") == .file(folder + "/none"))
      try appendToFile(folder + "/file", [1])
      #expect(try destination(folder + "/file") == .file(folder + "/file"))
    }
  }

  @Test func linksAreFollowedToTheFileThatTheyName() async throws {
    try await withTemporaryDirectory { folder in
      #expect(symlink("second", folder + "/first") == 0)
      #expect(symlink(folder + "/file", folder + "/second") == 0)
      #expect(try destination(folder + "/first") == .file(folder + "/file"))
      try appendToFile(folder + "/file", [1])
      #expect(try destination(folder + "/first") == .file(folder + "/file"))
      #expect(symlink("loop", folder + "/loop") == 0)
      #expect(throws: IOError.self) { try destination(folder + "/loop") }
    }
  }

  @Test func pipesAndDevicesAreWrittenDirectly() async throws {
    try await withTemporaryDirectory { folder in
      #expect(mkfifo(folder + "/pipe", 0o600) == 0)
      #expect(symlink("pipe", folder + "/link") == 0)
      let link = try destination(folder + "/link")
      #expect(link == .device(folder + "/pipe"))
      #expect(try destination("/dev/null") == .device("/dev/null"))
      let error = #expect(throws: IOError.self) { try destination(folder) }
      #expect(error?.code == .isADirectory)
      unlink(folder + "/pipe")
    }
  }

  #if os(Linux)
    @Test func descriptorsOfTheProcessAreRecognized() async throws {
      try await withTemporaryDirectory { folder in
        let number = inherited(folder + "/file", O_WRONLY | O_CREAT)
        defer { close(number) }
        #expect(symlink("/proc/self/fd/\(number)", folder + "/link") == 0)
        for path in ["/dev/fd/\(number)", "/proc/\(getpid())/fd/\(number)", folder + "/link"] {
          let found = try destination(path)
          #expect(found == .descriptor(number))
        }
        // The text of the link is the path of no file then.
        unlink(folder + "/file")
        #expect(try destination(folder + "/link") == .descriptor(number))
        unlink(folder + "/link")
      }
    }

    @Test func descriptorsThatNoOneMayWriteAreRefused() throws {
      let readable = inherited("/dev/null", O_RDONLY)
      let own = inherited("/dev/null", O_WRONLY | O_CLOEXEC)
      let closed = dup2(readable, 900)
      close(closed)
      defer { for number in [readable, own] { close(number) } }
      for number in [readable, own, closed] {
        let error = #expect(throws: IOError.self) { try destination("/dev/fd/\(number)") }
        #expect(error?.code.rawValue == EBADF)
      }
    }
  #endif

  @Test func identityDoesNotDependOnNames() async throws {
    try await withTemporaryDirectory { folder in
      let name = folder.split(separator: "/").last.map(String.init) ?? ""
      let file = try destination(folder + "/file").identity
      #expect(file != nil)
      #expect(try destination("\(folder)/../\(name)/file").identity == file)
      #expect(try destination(folder + "/other").identity != file)
      try appendToFile(folder + "/file", [1])
      let existing = FileIdentity.ofContent(at: folder + "/file")
      #expect(try destination(folder + "/file").identity == existing)
      #expect(link(folder + "/file", folder + "/twin") == 0)
      #expect(try destination(folder + "/twin").identity == existing)
      // Many outputs may go to /dev/null.
      #expect(try destination("/dev/null").identity == nil)
    }
  }

  @Test func fullPipeIsWaitedForUpToTheTime() throws {
    let ends = try #require(SystemCalls.pipe())
    defer { close(ends.read) }
    let copy = dup(ends.write)
    close(ends.write)
    defer { close(copy) }
    let output = try #require(
      try DirectOutput(.descriptor(copy), waitsForReader: false))
    let (count, failure) = output.write([UInt8](repeating: 0, count: 1 << 20)[...], patience: 1)
    #expect(count > 0 && count < 1 << 20)
    #expect(failure?.code == .timedOut)
  }
}
