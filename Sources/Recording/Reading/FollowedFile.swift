import WireSystem

/// The bytes of a file, some at a time; of one that is followed also those that are yet to be written, to
/// it and to whatever takes its place, as `tail -F` has it.
final class FollowedFile {
  private let path: String
  private let isFollowed: Bool
  private let deadline: ContinuousClock.Instant?
  private var file: LocalFile
  /// Whether another one is read once this one is.
  private var isReplaced = false

  init(_ source: BinaryLogSource) {
    path = source.path
    isFollowed = source.isFollowed
    file = source.file
    deadline = source.deadline
  }

  /// The next bytes as far as they are there, none when they are yet to be written; nil when only
  /// ``next()`` can tell.
  func ready() -> [UInt8]? {
    if file.identity == nil { return file.isReady ? nil : [] }
    return try? file.next()
  }

  /// The next bytes; empty at the end, which one that is followed has not.
  ///
  /// Throws when the file cannot be read.
  func next() throws(BinaryLogError) -> [UInt8] {
    do throws(IOError) {
      while true {
        let bytes = try file.next(until: deadline)
        if !bytes.isEmpty || !isFollowed || file.identity == nil { return bytes }
        // While files are renamed there is none for a moment.
        if isReplaced, let next = try? LocalFile(successor) {
          file = next
          isReplaced = false
        } else {
          LocalFile.pause()
          // What was written to it since comes first.
          isReplaced = isReplaced || file.isReplaced(at: path)
        }
      }
    } catch {
      throw failure(FileReadError(error))
    }
  }

  func checkDeadline() throws(BinaryLogError) {
    if let deadline, deadline <= .now { throw failure(.tooLate) }
  }

  private func failure(_ error: FileReadError) -> BinaryLogError {
    BinaryLogError(path: path, reason: error.description, hint: error.hint)
  }

  /// The one that was begun behind the present one, which may have been moved more than once since.
  private var successor: String {
    let identity = file.identity
    for number in stride(from: 1, through: RecordingOptions.mostKeptFiles, by: 1) {
      guard let found = LocalFile.identity(of: RotatedName.path(path, number)) else { break }
      if found == identity { return RotatedName.path(path, number - 1) }
    }
    return path
  }
}
