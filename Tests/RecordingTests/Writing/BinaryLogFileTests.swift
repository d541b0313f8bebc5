import Foundation
import TestSupport
import Testing
import WireSystem

@testable import Recording
@testable import WireGRPC

@Suite struct BinaryLogFileTests {
  static func failure(_ path: String) -> String {
    do {
      _ = try CallRecorder(to: path)
      return "no error"
    } catch {
      return error.description
    }
  }

  @Test func newFileIsPrivate() async throws {
    try await withTemporaryDirectory { folder in
      await (try CallRecorder(to: "\(folder)/log")).close()
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/log")
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test func otherFilesAreNotModified() async throws {
    try await withTemporaryDirectory { folder in
      let text = "Not a log, but a text of somebody's.\n"
      try appendToFile("\(folder)/text", Array(text.utf8))
      #expect(
        Self.failure("\(folder)/text")
          == "cannot append to \(folder)/text: not a gRPC binary log (the content looks like text)")
      #expect(try String(contentsOfFile: "\(folder)/text", encoding: .utf8) == text)
      // The start of a possible entry, and entries that are invalid.
      let others: [[UInt8]] = [
        [0, 0, 1], [0, 0, 1, 0, 7], [0, 0, 0, 2, 0x10, 0], [0, 0, 0, 2, 0x10, 1],
      ]
      for bytes in others {
        let path = "\(folder)/other"
        try appendToFile(path, bytes)
        #expect(Self.failure(path).hasPrefix("cannot append to \(path): "))
        #expect(try Array(Data(contentsOf: URL(filePath: path))) == bytes)
        unlink(path)
      }
      #expect(Self.failure(folder) == "cannot open \(folder): Is a directory")
      #expect(
        Self.failure("\(folder)/none/log")
          == "cannot open \(folder)/none/log: No such file or directory")
      #expect(Self.failure("/dev/null") == "no error")
      let pipe = "\(folder)/pipe"
      #expect(mkfifo(pipe, 0o600) == 0)
      #expect(Self.failure(pipe) == "cannot open \(pipe): No such device or address")
    }
  }

  @Test func fileHasOneRecorder() async throws {
    try await withTemporaryDirectory { folder in
      let recorder = try CallRecorder(to: "\(folder)/log")
      #expect(
        Self.failure("\(folder)/log")
          == "cannot open \(folder)/log: another recorder writes to it")
      await recorder.close()
    }
  }

  @Test func rotatesBySize() async throws {
    try await withTemporaryDirectory { folder in
      var options = RecordingOptions()
      options.maxFileSize = 2000
      options.keptFiles = 2
      let recorder = try CallRecorder(to: "\(folder)/log", options: options)
      for _ in 0..<40 { RecordedCallDriver(recorder).succeed() }
      #expect(await recorder.close() == RecordingReport(written: 240))
      #expect(names(in: folder) == ["log", "log.1", "log.2"])
      var ids: [UInt64] = []
      for name in ["log.2", "log.1", "log"] {
        #expect(try FileVersion.size("\(folder)/\(name)") <= 2000)
        let read = try RecordedCalls([BinaryLogSource(opening: "\(folder)/\(name)")])
        // No call spans two files.
        #expect(read.warnings.isEmpty)
        #expect(read.calls.allSatisfy { $0.ending != nil })
        ids += read.calls.map(\.id)
      }
      #expect(ids == Array((41 - UInt64(ids.count))...40))
      #expect(ids.count > 12)
    }
  }

  @Test func rotatesDuringALongCall() async throws {
    try await withTemporaryDirectory { folder in
      var options = RecordingOptions()
      options.maxFileSize = 2000
      let recorder = try CallRecorder(to: "\(folder)/log", options: options)
      let stream = RecordedCallDriver(recorder)
      stream.send(.start(metadata: Metadata(), timeout: nil))
      for _ in 0..<10 { stream.send(.message(response: [UInt8](repeating: 1, count: 300))) }
      await recorder.close()
      #expect(names(in: folder) == ["log", "log.1"])
      for name in names(in: folder) { #expect(try FileVersion.size("\(folder)/\(name)") <= 2000) }
    }
  }

  @Test func rotatesByAge() async throws {
    try await withTemporaryDirectory { folder in
      var options = RecordingOptions()
      options.maxFileAge = .seconds(80)
      var output = EntryOutput(try BinaryLogFile("\(folder)/log", options), options)
      var queue = EntryQueue(limit: .max)
      let call = RecordedCallHead(id: 1, method: "/a/B", authority: "", limits: .whole)
      func write(_ event: CallEvent, at second: Int64) {
        _ = queue.add(event, EntryHead(call: call, sequence: 1, time: (0, 0), peer: nil))
        output.write(queue.takeBatches(), at: 1000 + second)
      }
      write(.start(metadata: Metadata(), timeout: nil), at: 0)
      write(.requestEnd, at: 80)
      write(.requestEnd, at: 89)
      #expect(names(in: folder) == ["log"])
      write(.requestEnd, at: 90)
      #expect(names(in: folder) == ["log", "log.1"])
      write(.end(.success(Metadata())), at: 91)
      write(.start(metadata: Metadata(), timeout: nil), at: 169)
      write(.end(.success(Metadata())), at: 170)
      #expect(names(in: folder) == ["log", "log.1"])
      write(.start(metadata: Metadata(), timeout: nil), at: 170)
      #expect(names(in: folder) == ["log", "log.1", "log.2"])
      #expect(output.report == RecordingReport(written: 8))
    }
  }

  @Test(arguments: [Int64.min, -1, .max])
  func acceptsAnyTimestampInAFile(second: Int64) async throws {
    try await withTemporaryDirectory { folder in
      try appendToFile("\(folder)/log", Logs.entry(1, .clientHalfClose, second: second).framed)
      var options = RecordingOptions()
      options.maxFileAge = .seconds(Int64.max)
      let recorder = try CallRecorder(to: "\(folder)/log", options: options)
      RecordedCallDriver(recorder).succeed()
      #expect(await recorder.close() == RecordingReport(written: 6))
    }
  }

  @Test(arguments: [nil, 1 << 20])
  func movedFileIsReplacedByANewOne(maxFileSize: Int?) async throws {
    try await withTemporaryDirectory { folder in
      try appendToFile("\(folder)/log.1", Logs.bytes(Logs.call(1)))
      var options = RecordingOptions()
      options.maxFileSize = maxFileSize
      let recorder = try CallRecorder(to: "\(folder)/log", options: options)
      for round in 1...3 {
        RecordedCallDriver(recorder).succeed()
        while recorder.report.written < 6 * round { try await Task.sleep(for: .milliseconds(1)) }
        #expect(rename("\(folder)/log", "\(folder)/moved\(round)") == 0)
      }
      #expect(await recorder.close() == RecordingReport(written: 18))
      #expect(names(in: folder) == ["log.1", "moved1", "moved2", "moved3"])
      for round in 1...3 { #expect(try Logs.read("\(folder)/moved\(round)").count == 6) }
    }
  }

  /// As logrotate does with `create 0644`.
  @Test func replacementFileIsMadePrivate() async throws {
    try await withTemporaryDirectory { folder in
      let path = "\(folder)/log"
      let recorder = try CallRecorder(to: path)
      #expect(rename(path, "\(folder)/moved") == 0)
      try appendToFile(path, [])
      #expect(chmod(path, 0o644) == 0)
      RecordedCallDriver(recorder).succeed()
      #expect(await recorder.close() == RecordingReport(written: 6))
      #expect(try Logs.read(path).count == 6)
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  /// Only root can change the owner of a file.
  @Test(.enabled(if: geteuid() == 0))
  func replacementFileOfAnotherOwnerIsReported() async throws {
    try await withTemporaryDirectory { folder in
      let path = "\(folder)/log"
      let recorder = try CallRecorder(to: path)
      #expect(rename(path, "\(folder)/moved") == 0)
      try appendToFile(path, [])
      #expect(chown(path, 1, 1) == 0)
      RecordedCallDriver(recorder).succeed()
      let report = await recorder.close()
      #expect(report.written == 6)
      #expect(report.error == "other users can read or write it: run chmod 600")
    }
  }

  @Test func replacementFileWithContentIsNotModified() async throws {
    try await withTemporaryDirectory { folder in
      let recorder = try CallRecorder(to: "\(folder)/log")
      #expect(rename("\(folder)/log", "\(folder)/moved") == 0)
      try appendToFile("\(folder)/log", [1])
      RecordedCallDriver(recorder).succeed()
      let report = await recorder.close()
      #expect(report.written == 6 && report.dropped == 0)
      #expect(report.error == "create \(folder)/log: File exists")
      #expect(try Logs.read("\(folder)/moved").count == 6)
      #expect(try Array(Data(contentsOf: URL(filePath: "\(folder)/log"))) == [1])
    }
  }

  @Test func onlyLogsAreRotated() async throws {
    try await withTemporaryDirectory { folder in
      func failure(_ options: RecordingOptions) -> String? {
        do {
          _ = try CallRecorder(to: "\(folder)/log", options: options)
          return nil
        } catch {
          return error.description
        }
      }
      var options = RecordingOptions()
      options.maxFileAge = .seconds(60)
      try appendToFile("\(folder)/log.3", Array("Somebody's notes".utf8))
      #expect(failure(RecordingOptions()) == nil)
      #expect(failure(options)?.hasPrefix("\(folder)/log.3 is not a gRPC binary log") == true)
      options.keptFiles = 2
      #expect(failure(options) == nil)
      options.keptFiles = 5
      unlink("\(folder)/log.3")
      #expect(mkdir("\(folder)/log.5", 0o700) == 0)
      #expect(failure(options)?.hasPrefix("\(folder)/log.5 is not a gRPC binary log") == true)
      rmdir("\(folder)/log.5")
      #expect(mkfifo("\(folder)/log.5", 0o600) == 0)
      #expect(failure(options)?.hasPrefix("\(folder)/log.5 is not a gRPC binary log") == true)
      unlink("\(folder)/log.5")
      try appendToFile("\(folder)/log.2", [])
      try appendToFile("\(folder)/log.5", Logs.bytes(Logs.call(1)))
      #expect(failure(options) == nil)
    }
  }

  @Test func callIDsContinueFromTheRotatedFile() async throws {
    try await withTemporaryDirectory { folder in
      try appendToFile("\(folder)/log.1", Logs.bytes(Logs.call(41)))
      for id in [42, 43] {
        let recorder = try CallRecorder(to: "\(folder)/log")
        RecordedCallDriver(recorder).succeed()
        await recorder.close()
        #expect(try Logs.read("\(folder)/log").last?.callId == UInt64(id))
      }
    }
  }

  @Test func warnsAboutAFileThatOthersCanRead() async throws {
    try await withTemporaryDirectory { folder in
      let path = "\(folder)/log"
      try appendToFile(path, [])
      for (mode, isPrivate) in [
        (0o600, true), (0o400 | 0o200, true), (0o640, false), (0o602, false),
      ] {
        #expect(chmod(path, mode_t(mode)) == 0)
        let recorder = try CallRecorder(to: path)
        #expect(
          recorder.warnings
            == (isPrivate ? [] : ["\(path): other users can read or write it: run chmod 600"])
        )
        await recorder.close()
      }
    }
  }

  @Test func continuesAFileThatCannotBeRotated() async throws {
    try await withTemporaryDirectory { folder in
      var options = RecordingOptions()
      options.maxFileSize = 1000
      options.keptFiles = 1
      let recorder = try CallRecorder(to: "\(folder)/log", options: options)
      // A folder at the path of the rotated file.
      #expect(mkdir("\(folder)/log.1", 0o700) == 0)
      defer { rmdir("\(folder)/log.1") }
      for _ in 0..<10 { RecordedCallDriver(recorder).succeed() }
      let report = await recorder.close()
      #expect(report.written == 60 && report.dropped == 0)
      #expect(report.error == "rename \(folder)/log to \(folder)/log.1: Is a directory")
      #expect(try Logs.read("\(folder)/log").count == 60)
    }
  }
}

extension FileVersion {
  fileprivate static func size(_ path: String) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
  }
}
