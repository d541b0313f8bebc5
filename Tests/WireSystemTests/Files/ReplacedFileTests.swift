import TestSupport
import Testing
import WireSystem

@Suite struct ReplacedFileTests {
  private func contents(_ path: String) throws -> String {
    String(decoding: try LocalFile.contents(of: path, limit: 1 << 20), as: UTF8.self)
  }

  @Test func replacesTheWholeFileAndLeavesNoOther() async throws {
    try await withTemporaryDirectory { folder in
      let path = folder + "/file"
      try appendToFile(path, Array("a longer text".utf8))
      try ReplacedFile(path).write(Array("new".utf8))
      #expect(try contents(path) == "new")
      #expect(names(in: folder) == ["file"])
      var found = stat()
      #expect(stat(path, &found) == 0 && found.st_mode & 0o777 == 0o600)
    }
  }

  @Test func createsItsDirectories() async throws {
    try await withTemporaryDirectory { folder in
      let path = folder + "/a/b/file"
      try ReplacedFile(path).write([])
      #expect(names(in: folder + "/a/b") == ["file"])
      for name in ["/a/b", "/a"] {
        var found = stat()
        #expect(stat(folder + name, &found) == 0 && found.st_mode & 0o777 == 0o700)
      }
      unlink(path)
      rmdir(folder + "/a/b")
      rmdir(folder + "/a")
    }
  }

  @Test func writesThroughLinks() async throws {
    try await withTemporaryDirectory { folder in
      #expect(symlink("second", folder + "/first") == 0)
      #expect(symlink(folder + "/file", folder + "/second") == 0)
      try ReplacedFile(folder + "/first").write(Array("text".utf8))
      #expect(try contents(folder + "/file") == "text")
      #expect(names(in: folder) == ["file", "first", "second"])
    }
  }

  @Test func failureLeavesTheOldFile() async throws {
    try await withTemporaryDirectory { folder in
      #expect(mkdir(folder + "/file", 0o700) == 0)
      let error = #expect(throws: IOError.self) {
        try ReplacedFile(folder + "/file").write([1])
      }
      #expect(error?.code == .isADirectory)
      #expect(names(in: folder) == ["file"])
      rmdir(folder + "/file")
    }
  }

  @Test func temporaryFilesOfKilledProcessesAreRemoved() async throws {
    try await withTemporaryDirectory { folder in
      let killed = ["file.1.new", "file.4194304.new", "file.\(getpid()).new"]
      let others = [
        "file", "file..new", "file.1.new.1", "file.1x.new", "file.new", "other.1.new",
        "xfile.1.new",
      ]
      for name in killed + others { try appendToFile("\(folder)/\(name)", [1]) }
      #expect(symlink("file", folder + "/link") == 0)
      #expect(mkdir(folder + "/file.2.new", 0o700) == 0)
      try ReplacedFile(folder + "/link").write([2])
      #expect(names(in: folder) == (others + ["file.2.new", "link"]).sorted())
      rmdir(folder + "/file.2.new")
    }
  }

  @Test func pipeIsNotReplaced() async throws {
    try await withTemporaryDirectory { folder in
      #expect(mkfifo(folder + "/pipe", 0o600) == 0)
      #expect(symlink("pipe", folder + "/link") == 0)
      #expect(throws: IOError.self) { try ReplacedFile(folder + "/link").write([1]) }
      #expect(names(in: folder) == ["link", "pipe"])
      unlink(folder + "/pipe")
    }
  }

  @Test func loopOfLinksIsAnError() async throws {
    try await withTemporaryDirectory { folder in
      #expect(symlink("file", folder + "/file") == 0)
      // The link itself would be replaced otherwise.
      #expect(throws: IOError.self) { try ReplacedFile(folder + "/file").write([1]) }
    }
  }
}
