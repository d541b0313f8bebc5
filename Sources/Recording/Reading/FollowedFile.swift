import WireSystem

/// Reads the bytes of a file in chunks. If the file is followed, this includes data appended later
/// and the file that replaces it, as in `tail -F`.
final class FollowedFile {
  private let path: String
  private let isFollowed: Bool
  private let deadline: ContinuousClock.Instant?
  private let output: Int32?
  private var file: LocalFile
  /// Whether to continue with the next file after this one.
  private var isReplaced = false

  init(_ source: BinaryLogSource) {
    path = source.path
    isFollowed = source.isFollowed
    file = source.file
    deadline = source.deadline
    output = source.output
  }

  /// Returns the bytes that are available without waiting, none if more may be written; nil if only
  /// ``next()`` can tell.
  func ready() -> [UInt8]? {
    if file.identity == nil { return file.isReady ? nil : [] }
    return try? file.next()
  }

  /// Returns the next bytes; empty at the end. A followed file has no end.
  ///
  /// - Throws: ``BinaryLogError`` if the file cannot be read, or if nobody reads the output any more.
  func next() throws(BinaryLogError) -> [UInt8] {
    do throws(IOError) {
      while true {
        let bytes = try file.next(until: deadline, writingTo: output)
        if !bytes.isEmpty || !isFollowed || file.identity == nil { return bytes }
        // During a rotation there is a moment without a file of that name.
        if isReplaced, let next = try? LocalFile(successor) {
          file = next
          isReplaced = false
        } else {
          if isTooLate { throw IOError(code: .timedOut, operation: "read \(path)") }
          try LocalFile.pause(writingTo: output)
          // Data appended to the old file since is read first.
          isReplaced = isReplaced || file.isReplaced(at: path)
        }
      }
    } catch {
      var failure = failure(FileReadError(error))
      failure.isOfOutput = output != nil && error.code == .brokenPipe
      throw failure
    }
  }

  func checkDeadline() throws(BinaryLogError) {
    if isTooLate { throw failure(.tooLate) }
  }

  private var isTooLate: Bool { deadline.map { $0 <= .now } ?? false }

  private func failure(_ error: FileReadError) -> BinaryLogError {
    BinaryLogError(
      path: path, reason: error.description, fileError: error, hint: error.hint)
  }

  /// The path of the file that was started after the current one, which may have been renamed
  /// several times since.
  private var successor: String {
    let identity = file.identity
    for number in stride(from: 1, through: RecordingOptions.maxKeptFiles, by: 1) {
      guard let found = LocalFile.identity(of: RotatedName.path(path, number)) else { break }
      if found == identity { return RotatedName.path(path, number - 1) }
    }
    return path
  }
}
