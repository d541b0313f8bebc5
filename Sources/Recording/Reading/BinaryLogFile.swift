import WireProtobuf
import WireSystem

/// The file of a binary log that is being written, and those before it.
struct BinaryLogFile {
  private let path: String
  private let keptFiles: Int
  private var file: AppendedFile
  /// When the first entry was written, in seconds since 1970; nil of an empty file.
  private(set) var birth: Int64?
  /// In bytes, since it was begun.
  private(set) var size: Int
  /// The highest of all calls that are in the file, or in the one before it if there are none.
  let highestCallID: UInt64
  /// What was wrong with the file as it was found.
  let warnings: [String]
  /// What is wrong with the one that was begun since.
  private(set) var exposure: String?
  private static let exposed = "other users can read or write it: run chmod 600"

  /// Opens a log to be continued behind its last whole entry, or begins one.
  ///
  /// - Throws: ``RecordingError`` when there is something else in the file, or where it would be moved
  ///   to, or when somebody else writes it.
  init(_ path: String, _ options: RecordingOptions) throws(RecordingError) {
    self.path = path
    keptFiles = min(options.keptFiles, RecordingOptions.mostKeptFiles)
    file = try Self.open(path)
    let found = try Self.read(path)
    size = found.end
    // Nothing was written later than now, whatever the clock said.
    birth = found.birth.map { min($0, WallTime.exact.seconds) }
    highestCallID =
      if let highest = found.highestCallID { highest } else {
        (try? Self.read(RotatedName.path(path, 1)).highestCallID) ?? 0
      }
    do throws(IOError) {
      var warnings: [String] = []
      if let tornTail = found.tornTail {
        try file.truncate(to: found.end)
        warnings.append(tornTail)
      }
      if try !file.isPrivate {
        warnings.append("\(path): \(Self.exposed)")
      }
      self.warnings = warnings
    } catch {
      throw RecordingError(description: "cannot \(error)")
    }
    if options.maxFileSize != nil || options.maxFileAge != nil { try checkPredecessors() }
  }

  /// What a log holds.
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
        contents.birth = contents.birth ?? entry.value.timestamp?.seconds
      }
      if reader.isPacked { throw BinaryLogError(path: path, reason: "compressed with gzip") }
      contents.tornTail = reader.tornTail
      contents.end = reader.end
      // What has no whole entry may be anything.
      if reader.tornTail != nil, reader.end == 0 {
        throw BinaryLogError(path: path, reason: "not a gRPC binary log")
      }
      return contents
    } catch let error as BinaryLogError {
      throw RecordingError(description: "\(error): cannot append; record to another file")
    } catch {
      throw RecordingError(description: "cannot \(error)")
    }
  }

  /// What is moved up when the file is followed by another must be logs: the oldest is lost by it.
  private func checkPredecessors() throws(RecordingError) {
    for number in stride(from: 1, through: keptFiles, by: 1) {
      let name = RotatedName.path(path, number)
      guard LocalFile.exists(name) else { continue }
      // To open a FIFO may take for ever.
      guard LocalFile.identity(of: name) != nil, (try? Self.isLog(name)) == true else {
        throw RecordingError(
          description:
            "\(name) is not a gRPC binary log, and rotating \(path) would overwrite it: move it, or"
            + " record to another file")
      }
    }
  }

  private static func isLog(_ path: String) throws(BinaryLogError) -> Bool {
    var reader = try BinaryLogReader(path: path)
    return try reader.next()?.isPlausible ?? (reader.end == 0 && reader.tornTail == nil)
  }

  private static func open(_ path: String) throws(RecordingError) -> AppendedFile {
    try mapError(AppendedFile(path)) { (error: IOError) in
      let advice =
        error.code == .wouldBlock ? "; another process records to it: use another file" : ""
      return RecordingError(description: "cannot \(error)\(advice)")
    }
  }

  /// Writes whole entries, each behind its length; to a new file when somebody has moved the present
  /// one away, as logrotate does.
  mutating func append(_ entries: ArraySlice<UInt8>, at now: Int64) throws(IOError) {
    // Where there can be no new one, the present one goes on, wherever it is.
    if !file.isInPlace { try? beginAnew() }
    try file.append(entries)
    size += entries.count
    birth = birth ?? now
  }

  /// Begins the next file. When that cannot be done the present one goes on, for as long again.
  mutating func rotate() throws(IOError) {
    size = 0
    birth = nil
    guard keptFiles > 0 else { return try file.truncate(to: 0) }
    // Who moved it away has it, and wants those before it left alone.
    if file.isInPlace {
      for number in stride(from: keptFiles, through: 1, by: -1) {
        let name = RotatedName.path(path, number - 1)
        guard number == 1 || LocalFile.exists(name) else { continue }
        try AppendedFile.rename(name, to: RotatedName.path(path, number))
      }
    }
    try beginAnew()
  }

  private mutating func beginAnew() throws(IOError) {
    let next = try AppendedFile(path)
    guard try next.size == 0 else {
      throw IOError(code: .fileExists, operation: "begin \(path)")
    }
    // As logrotate makes it.
    if try !next.isPrivate { try? next.makePrivate() }
    exposure = try next.isPrivate ? nil : Self.exposed
    file = next
    size = 0
    birth = nil
  }
}

private struct Contents {
  var highestCallID: UInt64?
  /// When the first entry was written, in seconds since 1970.
  var birth: Int64?
  var tornTail: String?
  /// Where the last whole entry ends, in bytes.
  var end = 0
}
