import WireSystem

/// The open files of one recording.
package struct BinaryLogSet: Sendable {
  /// Each file once.
  package private(set) var sources: [BinaryLogSource] = []
  /// Messages about files that are skipped, missing or named twice.
  package private(set) var warnings: [String] = []

  private var files: Set<FileIdentity> = []

  /// Opens the files.
  ///
  /// - Parameter paths: paths of files; `-` is standard input.
  /// - Throws: ``BinaryLogError`` if a file cannot be opened. A missing file of a rotated set is
  ///   only a warning, because files may be renamed and removed after they were listed.
  package init(paths: [String]) throws(BinaryLogError) {
    var missing: [(path: String, error: BinaryLogError)] = []
    for path in paths {
      if let error = try open(path) { missing.append((path, error)) }
    }
    for (path, error) in missing {
      // During a rotation there is a moment without a file of that name.
      guard try open(path) != nil else { continue }
      let base = RotatedName(path).base
      guard sources.contains(where: { RotatedName($0.path).base == base }) else { throw error }
      warnings.append("\(error): skipped")
    }
    skipCompressedCopies()
    warnAboutUnreadFiles()
  }

  /// Skips compressed files whose original is also present: gzip --keep, or gzip still running.
  private mutating func skipCompressedCopies() {
    let paths = Set(sources.map(\.path))
    sources.removeAll { source in
      guard source.path.hasSuffix(".gz"), case let plain = String(source.path.dropLast(3)),
        paths.contains(plain)
      else { return false }
      warnings.append("\(source.path): skipped: it is a compressed copy of \(plain)")
      return true
    }
  }

  /// Opens a file; returns the error if it does not exist.
  private mutating func open(_ path: String) throws(BinaryLogError) -> BinaryLogError? {
    do throws(IOError) {
      let file = path == "-" ? LocalFile() : try LocalFile(path)
      if let identity = file.identity, !files.insert(identity).inserted {
        warnings.append("\(path): skipped: the same file is named twice")
      } else {
        sources.append(
          BinaryLogSource(path: path == "-" ? BinaryLogSource.standardInput : path, file))
      }
      return nil
    } catch {
      let failure = BinaryLogError(path: path, reason: error.code.description)
      if error.code == .noSuchFile { return failure }
      throw failure
    }
  }

  /// Warns about files of a rotated set that were not given. Calls continue from one file to the
  /// next, and a response may contain only the changes since a response in an earlier file.
  private mutating func warnAboutUnreadFiles() {
    let sets = Dictionary(grouping: sources.map { RotatedName($0.path) }, by: \.base)
      .mapValues { $0.map(\.number).sorted() }
    for (base, numbers) in sets.sorted(by: { $0.key < $1.key }) {
      guard let number = numbers.first, let oldest = numbers.last,
        number == 0 || LocalFile.exists(base)
      else { continue }
      var unread: [String] = []
      for number in stride(from: number + 1, through: RecordingOptions.maxKeptFiles, by: 1) {
        let path = RotatedName.path(base, number)
        let names = [path, path + ".gz"]
        guard let name = names.first(where: { LocalFile.identity(of: $0) != nil }),
          let file = LocalFile.identity(of: name)
        else {
          guard number < oldest else { break }
          warnings.append("\(path): not found: its calls are missing")
          continue
        }
        if !files.contains(file) { unread.append(name) }
      }
      guard let first = unread.first, let last = unread.last else { continue }
      let names = unread.count == 1 ? first : "\(first) to \(last)"
      let path = RotatedName.path(base, number)
      warnings.append(
        "\(path): the earlier files of the recording (\(names)) are not read; pass \(base)* to read"
          + " all files")
    }
  }
}
