import CommandLine
import CommandShell
import Recording
import RecordingAnalysis
import Tripwire
import WireSystem

/// A file with entries of Cloud Logging, which is read in place of a recording, or besides one.
struct CloudLogFile {
  /// The size of the decompressed file in bytes. Its calls are in memory at once, because it may have the newest
  /// first.
  private static let limit = 256 << 20

  /// A file, or `-` for stdin.
  let path: String
  let types: MessageTypes
  let console: Console

  func read() throws(ErrorReport) -> ServerLog {
    var log = CloudLog(types)
    var beginning: [UInt8] = []
    do {
      let file = try UnpackedText(of: path, limit: Self.limit)
      while case let bytes = try file.next(), !bytes.isEmpty {
        if beginning.isEmpty { beginning = bytes }
        // The first bytes of a ZIP file.
        guard !beginning.starts(with: [0x50, 0x4b, 3, 4]) else { throw zipFile }
        try log.add(bytes)
        showProgress(of: file, after: bytes.count)
      }
      try log.end()
      return ServerLog(name: path, log: log, console: console)
    } catch let error as BinaryLogError {
      let hint =
        if case .tooLarge = error.fileError {
          "export the logs of a shorter time range"
        } else {
          ErrorReport.accessHint(for: [path], in: "--import-cloud-logging")
        }
      throw ErrorReport(
        local: "--import-cloud-logging \(escaped(error.description))", hint: hint)
    } catch let error as CloudLogError {
      throw ErrorReport(
        local: "--import-cloud-logging \(escaped(path)):\(error.isPlaced ? "" : " ")"
          + escaped(error.description),
        hint: Self.isRecording(beginning)
          ? "read a recording without --import-cloud-logging: tripwire log FILE"
          : "export the logs of Fleet Engine as JSON: gcloud logging read --format=json")
    } catch {
      throw error as? ErrorReport ?? ErrorReport(local: "\(error)")
    }
  }

  private func showProgress(of file: UnpackedText, after count: Int) {
    // Each megabyte.
    guard file.count >> 20 > (file.count - count) >> 20 else { return }
    let size = file.size.map { " of \($0 >> 20)" } ?? ""
    console.waitLine.show("reading \(LocalFile.name(of: path)): \(file.count >> 20)\(size) MiB")
  }

  private var zipFile: ErrorReport {
    ErrorReport(
      local: "--import-cloud-logging \(escaped(path)): a ZIP file",
      hint:
        "unpack it: unzip -p \(path == "-" ? "FILE" : shellWord(path)) | tripwire log --import-cloud-logging -"
    )
  }

  /// Whether the first entry of a binary log follows its length.
  private static func isRecording(_ content: [UInt8]) -> Bool {
    let length = content.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    guard length > 0, content.count >= 4 + length else { return false }
    return (try? BinlogGrpcLogEntry(serializedBytes: content[4..<(4 + length)])) != nil
  }
}
