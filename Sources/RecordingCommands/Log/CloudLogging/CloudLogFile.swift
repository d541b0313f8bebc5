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
  private static let option = "--import-cloud-logging"

  /// A file, or `-` for stdin.
  let path: String
  let types: MessageTypes
  let console: Console

  func read() throws(ErrorReport) -> ServerLog {
    var log = CloudLog(types)
    var beginning: [UInt8] = []
    var damage: String?
    do {
      let file = try UnpackedText(of: path, limit: Self.limit)
      while case let bytes = try file.next(), !bytes.isEmpty {
        if beginning.isEmpty {
          beginning = bytes
          try checkFormat(of: bytes, isPacked: file.isPacked)
        }
        try log.add(bytes)
        showProgress(of: file, after: bytes.count)
      }
      damage = file.damage
      try log.end()
      return ServerLog(name: path, damage: damage, log: log, console: console)
    } catch let error as BinaryLogError {
      let hint =
        if case .tooLarge = error.fileError {
          "export the logs of a shorter time range"
        } else {
          ErrorReport.accessHint(for: [path], in: Self.option)
        }
      throw ErrorReport(local: "\(Self.option) \(escaped(error.description))", hint: hint)
    } catch let error as CloudLogError {
      if let damage { throw report(CloudLogError(damage), hint: "copy the file again") }
      throw report(
        error,
        hint: Self.isRecording(beginning)
          ? "read a recording without \(Self.option): tripwire log FILE"
          : "export the logs of Fleet Engine as JSON: gcloud logging read --format=json")
    } catch {
      throw error as? ErrorReport ?? ErrorReport(local: "\(error)")
    }
  }

  private func report(_ error: CloudLogError, hint: String) -> ErrorReport {
    ErrorReport(local: "\(Self.option) \(escaped(error.text(of: path)))", hint: hint)
  }

  /// - Throws: a report if the content has to be unpacked or converted before.
  private func checkFormat(of beginning: [UInt8], isPacked: Bool) throws(ErrorReport) {
    let file = path == "-" ? "FILE" : shellWord(path)
    guard let kind = FileKind(beginning),
      let hint = kind.hint(isPacked ? "<(gzip -dc \(file))" : file)
    else { return }
    throw report(
      CloudLogError("the content looks like \(kind.name)"),
      hint: "\(hint) | tripwire log \(Self.option) -")
  }

  private func showProgress(of file: UnpackedText, after count: Int) {
    // Each megabyte.
    guard file.count >> 20 > (file.count - count) >> 20 else { return }
    let size = file.size.map { " of \($0 >> 20)" } ?? ""
    console.waitLine.show("reading \(LocalFile.name(of: path)): \(file.count >> 20)\(size) MiB")
  }

  /// Whether the first entry of a binary log follows its length.
  private static func isRecording(_ content: [UInt8]) -> Bool {
    let length = content.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    guard length > 0, content.count >= 4 + length else { return false }
    return (try? BinlogGrpcLogEntry(serializedBytes: content[4..<(4 + length)])) != nil
  }
}
