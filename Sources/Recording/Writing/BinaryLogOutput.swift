import WireSystem

/// The place to which a binary log is written: a file, which may be rotated, or a pipe.
protocol BinaryLogOutput: Sendable {
  /// When the first entry was written, in seconds since 1970; nil for an empty file.
  var firstEntryTime: Int64? { get }
  /// The size in bytes.
  var size: Int { get }
  /// The highest call ID that was written earlier.
  var highestCallID: UInt64 { get }
  /// Problems of the file that was opened first.
  var warnings: [String] { get }
  /// The warning that other users can read a file that was created later; nil if they cannot.
  var privacyWarning: String? { get }
  /// The error of the last attempt to start the next file; nil if it succeeded.
  var startFailure: IOError? { get }

  /// Appends complete entries with their length prefixes.
  ///
  /// - Parameter now: in seconds since 1970.
  mutating func append(_ entries: ArraySlice<UInt8>, at now: Int64) throws(IOError)

  /// Starts the next file. If that fails, the present one continues, for another full period.
  mutating func rotate()
}

/// Opens the file, the pipe or the device that a path names. Symbolic links are followed once: a rotation renames the
/// file that they lead to.
///
/// - Throws: ``RecordingError`` if it cannot be opened, is not a binary log, or cannot be rotated as the
///   options ask.
func openBinaryLog(
  _ path: String, _ options: RecordingOptions
) throws(RecordingError) -> any BinaryLogOutput {
  let stream: DirectOutput?
  let destination: OutputDestination
  do throws(IOError) {
    destination = try OutputDestination(path)
    stream = try DirectOutput(destination, waitsForReader: false)
  } catch {
    throw RecordingError(
      description: "cannot \(error)",
      hint: error.code.rawValue == ENXIO ? "start the program that reads \(path) first" : nil)
  }
  if case .file(let path) = destination { return try BinaryLogFile(path, options) }
  guard let stream, !stream.isTerminal else {
    throw RecordingError(
      description: "cannot record to \(path): binary data on a terminal",
      hint: "record to a file or a pipe")
  }
  guard options.maxFileSize == nil, options.maxFileAge == nil else {
    throw RecordingError(
      description: "cannot rotate \(path), which is not a regular file",
      hint: "record to a file")
  }
  return BinaryLogStream(stream)
}
