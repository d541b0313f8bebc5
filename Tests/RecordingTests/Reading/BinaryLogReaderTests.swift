import TestSupport
import Testing
import WireSystem

@testable import Recording

@Suite struct BinaryLogReaderTests {
  static func read(
    _ bytes: [UInt8]
  ) throws -> (entries: [BinaryLogReader.Entry], truncatedTail: String?) {
    try withTemporaryFile(bytes) { path in
      var reader = BinaryLogReader(try BinaryLogSource(opening: path))
      var entries: [BinaryLogReader.Entry] = []
      while let entry = try reader.next() { entries.append(entry) }
      return (entries, reader.truncatedTail)
    }
  }

  @Test func readsEntriesWithTheirOffsets() throws {
    let written = Logs.call()
    let read = try Self.read(Logs.bytes(written))
    #expect(read.entries.map(\.value) == written)
    #expect(read.entries.map(\.number) == Array(1...6))
    #expect(read.entries.map(\.offset) == (0..<6).map { Logs.bytes(Array(written[..<$0])).count })
    #expect(read.truncatedTail == nil)
  }

  /// The next bytes may be written much later.
  @Test func followedFileHasEachEntryAtOnce() throws {
    let written = Logs.call()
    try withTemporaryFile([]) { path in
      var source = BinaryLogSource(path: path, try LocalFile(path))
      source.isFollowed = true
      source.deadline = .now + .seconds(20)
      var reader = BinaryLogReader(source, skipsDamage: true)
      for entry in written {
        try appendToFile(path, entry.framed)
        #expect(try reader.next()?.value == entry)
      }
    }
  }

  @Test func readsAnEntryOfManyChunks() throws {
    let large = [UInt8](repeating: 3, count: 5 << 20)
    let written = [Logs.entry(1, .serverMessage, Logs.message(large))] + Logs.call()
    #expect(try Self.read(Logs.bytes(written)).entries.map(\.value) == written)
  }

  @Test func readsUpToATruncatedEntryAtAnyOffset() throws {
    let written = Logs.call()
    let bytes = Logs.bytes(written)
    let ends = (0...6).map { Logs.bytes(Array(written[..<$0])).count }
    for count in 0...bytes.count {
      let read = try Self.read(Array(bytes.prefix(count)))
      let whole = ends.lastIndex { $0 <= count } ?? 0
      #expect(read.entries.map(\.value) == Array(written[..<whole]))
      if ends[whole] == count {
        #expect(read.truncatedTail == nil)
      } else {
        let tail = try #require(read.truncatedTail)
        #expect(tail.contains("entry \(whole + 1) at byte \(ends[whole])"))
      }
    }
  }

  @Test func neverTrapsOnChangedBytes() throws {
    let written = Logs.call()
    let bytes = Logs.bytes(written)
    var failures = 0
    for offset in bytes.indices {
      for mask in [0x01, 0x80, 0xff] as [UInt8] {
        var changed = bytes
        changed[offset] ^= mask
        do {
          #expect(try Self.read(changed).entries.map(\.value) != written)
        } catch let error as BinaryLogError {
          failures += 1
          #expect(error.entry != nil)
          #expect(try #require(error.offset) <= offset)
        }
      }
    }
    #expect(failures > bytes.count)
  }

  @Test func namesTheCorruptEntry() throws {
    let whole = Logs.bytes(Logs.call())
    let error = try #require(throws: BinaryLogError.self) {
      try Self.read(whole + [0, 0, 0, 2, 0x0a, 0x05])
    }
    #expect(error.entry == 7)
    #expect(error.offset == whole.count)
    #expect(error.description.contains("entry 7 at byte \(whole.count): GrpcLogEntry.timestamp"))
  }

  /// Each with the expected description and hint.
  @Test(
    arguments: [
      (Named("length", [0xff, 0, 0, 0]), "the first entry has a length of 4278190080 bytes", nil),
      (Named("JSON", Array("\u{feff} [1]".utf8)), "the content looks like JSON", nil),
      (
        Named("long JSON", Array(String(repeating: #"{"name": "t"}"#, count: 10_000).utf8)),
        "the content looks like JSON", nil
      ),
      (Named("text", Array("calls:\n- method: ü\n".utf8)), "the content looks like text", nil),
      (
        Named("pcap", [0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0]), "the content looks like a pcap file",
        "--record"
      ),
      (
        Named("pcapng", [0x0a, 0x0d, 0x0d, 0x0a, 0, 0]), "the content looks like a pcapng file",
        "--record"
      ),
      (Named("zstd", [0x28, 0xb5, 0x2f, 0xfd, 4]), "the content looks like zstd", "zstd -dc"),
      (Named("zip", Array("PK\u{3}\u{4}\0\0".utf8)), "the content looks like zip", "unzip -p"),
      (
        Named("tag", [0, 0, 0, 4, 0x66, 0x74, 0x79, 0x70]),
        "GrpcLogEntry.12 at byte 1: illegal tag", nil
      ),
    ] as [(Named<[UInt8]>, String, String?)])
  func reportsTheFormatOfAnotherFile(file: Named<[UInt8]>, words: String, hint: String?) throws {
    for skipsDamage in [false, true] {
      let error = try #require(throws: BinaryLogError.self) {
        try withTemporaryFile(file.value) { path in
          var reader = BinaryLogReader(try BinaryLogSource(opening: path), skipsDamage: skipsDamage)
          while try reader.next() != nil {}
        }
      }
      #expect(error.description.contains(": not a gRPC binary log: \(words)"), "\(error)")
      #expect(error.hint?.contains(hint ?? "") == hint.map { _ in true }, "\(error.hint ?? "")")
      #expect(error.isJSON == (words == "the content looks like JSON"))
    }
  }

  @Test func stopsSearchingAFileOfZeros() throws {
    // More than is searched, and less than is available.
    let source = BinaryLogSource(path: "zero", try LocalFile("/dev/zero"))
    var reader = BinaryLogReader(source, skipsDamage: true)
    do {
      while try reader.next() != nil {}
    } catch {
      #expect(
        error.description == "zero: not a gRPC binary log: no entry found in the first 16 MiB")
    }
    #expect(reader.end > 16 << 20 && reader.end < 17 << 20)
  }

  @Test func dashIsAFileName() throws {
    let error = try #require(throws: BinaryLogError.self) {
      _ = BinaryLogReader(try BinaryLogSource(opening: "-"))
    }
    #expect(error.description == "-: No such file or directory")
  }

  @Test func reportsWhyAFileCannotBeRead() throws {
    let missing = try #require(throws: BinaryLogError.self) {
      _ = BinaryLogReader(try BinaryLogSource(opening: "/nowhere/a.binlog"))
    }
    #expect(missing.description == "/nowhere/a.binlog: No such file or directory")
    let directory = try #require(throws: BinaryLogError.self) {
      var reader = BinaryLogReader(try BinaryLogSource(opening: "/tmp"))
      _ = try reader.next()
    }
    #expect(directory.description == "/tmp: Is a directory")
  }
}
