import WireProtobuf
import WireSystem

/// The file to which a binary log is written, and the rotated files before it.
struct BinaryLogFile: BinaryLogOutput {
  private let path: String
  private let keptFiles: Int
  private var file: AppendedFile
  private(set) var firstEntryTime: Int64?
  private(set) var size: Int
  /// The highest call ID in the file or, if it is empty, in the file before it.
  let highestCallID: UInt64
  let warnings: [String]
  private(set) var privacyWarning: String?
  private(set) var startFailure: IOError?
  private static let notPrivate = "other users can read or write it: run chmod 600"

  /// Opens a log to append after its last complete entry, or creates one.
  ///
  /// - Parameter path: of ``OutputDestination/file(_:)``.
  /// - Throws: ``RecordingError`` if the file or a rotated file is not a binary log, if the next rotation would
  ///   erase what it has, or if another process writes to it.
  init(_ path: String, _ options: RecordingOptions) throws(RecordingError) {
    self.path = path
    keptFiles = min(options.keptFiles, RecordingOptions.maxKeptFiles)
    file = try Self.open(path)
    let found = try Self.read(path)
    size = found.end
    // No entry was written in the future, even if the clock was wrong.
    firstEntryTime = found.firstEntryTime.map { min($0, WallTime.exact.seconds) }
    highestCallID =
      if let highest = found.highestCallID { highest } else {
        (try? Self.read(RotatedName.path(path, 1)).highestCallID) ?? 0
      }
    try Self.checkErasure(of: found.end, path, options)
    do throws(IOError) {
      var warnings: [String] = []
      if let truncatedTail = found.truncatedTail {
        try file.truncate(to: found.end)
        warnings.append(truncatedTail)
      }
      if let age = options.maxFileAge, keptFiles <= 0, let firstEntryTime,
        Double(WallTime.exact.seconds) - Double(firstEntryTime) >= Double(age.components.seconds)
      {
        warnings.append(
          "\(path): erasing its calls: they are older than the maximum age, and no rotated files are kept"
        )
      }
      if try !file.isPrivate {
        warnings.append("\(path): \(Self.notPrivate)")
      }
      self.warnings = warnings
    } catch {
      throw RecordingError(description: "cannot \(error)")
    }
    if options.maxFileSize != nil || options.maxFileAge != nil { try checkRotatedFiles() }
  }

  /// Rejects a file that is already larger than its limit, because it would be erased at once.
  private static func checkErasure(
    of size: Int, _ path: String, _ options: RecordingOptions
  ) throws(RecordingError) {
    guard options.keptFiles <= 0, let limit = options.maxFileSize, size > limit else { return }
    throw RecordingError(
      description:
        "\(path) has \(size) bytes, more than the maximum of \(limit), and would be erased,"
        + " because no rotated files are kept",
      hint: "keep rotated files, or record to another file")
  }

  /// Reads the summary of an existing log.
  private static func read(_ path: String) throws(RecordingError) -> Contents {
    do {
      var reader = BinaryLogReader(BinaryLogSource(path: path, try LocalFile(path)))
      var contents = Contents()
      while let entry = try reader.next() {
        guard entry.isPlausible else {
          throw BinaryLogError(
            path: path, entry: entry.number, offset: entry.offset,
            reason: "not a gRPC binary log")
        }
        contents.highestCallID = max(contents.highestCallID ?? 0, entry.value.callId)
        contents.firstEntryTime = contents.firstEntryTime ?? entry.value.timestamp?.seconds
      }
      if reader.isPacked { throw BinaryLogError(path: path, reason: "compressed with gzip") }
      contents.truncatedTail = reader.truncatedTail
      contents.end = reader.end
      // A file without a complete entry may be of any format.
      if reader.truncatedTail != nil, reader.end == 0 {
        throw BinaryLogError(path: path, reason: "not a gRPC binary log")
      }
      return contents
    } catch let error as BinaryLogError {
      let reason = error.isOtherFile ? "not a gRPC binary log (\(error.reason))" : error.place
      throw RecordingError(
        description: "cannot append to \(path): \(reason)", hint: "record to another file")
    } catch {
      throw RecordingError(description: "cannot \(error)")
    }
  }

  /// Checks that the files to be renamed by a rotation are logs, because the oldest is overwritten.
  private func checkRotatedFiles() throws(RecordingError) {
    for number in stride(from: 1, through: keptFiles, by: 1) {
      let name = RotatedName.path(path, number)
      guard LocalFile.exists(name) else { continue }
      // Opening a FIFO may block forever.
      guard LocalFile.identity(of: name) != nil, (try? Self.isLog(name)) == true else {
        throw RecordingError(
          description:
            "\(name) is not a gRPC binary log, and rotating \(path) would overwrite it",
          hint: "move it, or record to another file")
      }
    }
  }

  private static func isLog(_ path: String) throws(BinaryLogError) -> Bool {
    var reader = BinaryLogReader(try BinaryLogSource(opening: path))
    return try reader.next()?.isPlausible ?? (reader.end == 0 && reader.truncatedTail == nil)
  }

  private static func open(_ path: String) throws(RecordingError) -> AppendedFile {
    try mapError(AppendedFile(path)) { (error: IOError) in
      guard error.code == .wouldBlock else { return RecordingError(description: "cannot \(error)") }
      return RecordingError(
        description: "cannot open \(path): another recorder writes to it",
        hint: "record to another file")
    }
  }

  /// If the file was moved away, for example by logrotate, the entries go to a new file.
  ///
  /// - Throws: also if the file was removed and no new one can be created.
  mutating func append(_ entries: ArraySlice<UInt8>, at now: Int64) throws(IOError) {
    if !file.isInPlace { try replaceMovedFile() }
    try file.append(entries)
    size += entries.count
    firstEntryTime = firstEntryTime ?? now
  }

  /// Starts a new file. If that fails, a file that was only moved continues.
  private mutating func replaceMovedFile() throws(IOError) {
    do throws(IOError) {
      try startNewFile()
      startFailure = nil
    } catch {
      if file.isRemoved { throw error }
      startFailure = error
    }
  }

  mutating func rotate() {
    size = 0
    firstEntryTime = nil
    do throws(IOError) {
      try keptFiles > 0 ? startNextFile() : file.truncate(to: 0)
      startFailure = nil
    } catch {
      startFailure = error
    }
  }

  private mutating func startNextFile() throws(IOError) {
    // If another program moved the file, it also manages the files before it.
    if file.isInPlace {
      for number in stride(from: keptFiles, through: 1, by: -1) {
        let name = RotatedName.path(path, number - 1)
        guard number == 1 || LocalFile.exists(name) else { continue }
        try AppendedFile.rename(name, to: RotatedName.path(path, number))
      }
    }
    try startNewFile()
  }

  private mutating func startNewFile() throws(IOError) {
    let next = try AppendedFile(path)
    guard try next.size == 0 else {
      throw IOError(code: .fileExists, operation: "create \(path)")
    }
    // Created by logrotate.
    if try !next.isPrivate { try? next.makePrivate() }
    privacyWarning = try next.isPrivate ? nil : Self.notPrivate
    file = next
    size = 0
    firstEntryTime = nil
  }
}

private struct Contents {
  var highestCallID: UInt64?
  /// When the first entry was written, in seconds since 1970.
  var firstEntryTime: Int64?
  var truncatedTail: String?
  /// The end of the last complete entry, in bytes.
  var end = 0
}
