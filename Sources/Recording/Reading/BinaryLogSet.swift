import WireSystem

/// The files of one recording, open to be read.
package struct BinaryLogSet: Sendable {
  /// Each file once.
  package private(set) var sources: [BinaryLogSource] = []
  /// Which files are not read, or were given twice, in words.
  package private(set) var warnings: [String] = []

  private var files: Set<LocalFile.Identity> = []

  /// Opens the files.
  ///
  /// - Parameter paths: of files, or `-` for standard input.
  /// - Throws: ``BinaryLogError`` when one cannot be opened. Of a rotated set some may be gone, as files
  ///   are renamed and removed between the time when they were listed and now: that is a warning.
  package init(paths: [String]) throws(BinaryLogError) {
    var gone: [(path: String, error: BinaryLogError)] = []
    for path in paths {
      if let error = try open(path) { gone.append((path, error)) }
    }
    for (path, error) in gone {
      // While files are renamed there is for a moment none of that name.
      guard try open(path) != nil else { continue }
      let base = RotatedName(path).base
      guard sources.contains(where: { RotatedName($0.path).base == base }) else { throw error }
      warnings.append("\(error): skipped")
    }
    leaveOutPacked()
    warnOfUnread()
  }

  /// What gzip was told to keep, or is not done with.
  private mutating func leaveOutPacked() {
    let paths = Set(sources.map(\.path))
    sources.removeAll { source in
      guard source.path.hasSuffix(".gz"), case let plain = String(source.path.dropLast(3)),
        paths.contains(plain)
      else { return false }
      warnings.append("\(source.path): skipped: it is \(plain), compressed")
      return true
    }
  }

  /// Returns why it cannot be opened when there is no such file.
  private mutating func open(_ path: String) throws(BinaryLogError) -> BinaryLogError? {
    do throws(IOError) {
      let file = path == "-" ? LocalFile() : try LocalFile(path)
      if let identity = file.identity, !files.insert(identity).inserted {
        warnings.append("\(path): skipped: the same file is named twice")
      } else {
        sources.append(BinaryLogSource(path: path, file))
      }
      return nil
    } catch {
      let failure = BinaryLogError(path: path, reason: error.code.description)
      if error.code == .noSuchFile { return failure }
      throw failure
    }
  }

  /// The calls of a rotated set go on from one file to the next, and what is answered in one may be no
  /// more than what changed since the one before.
  private mutating func warnOfUnread() {
    let sets = Dictionary(grouping: sources.map { RotatedName($0.path) }, by: \.base)
      .mapValues { $0.map(\.number).sorted() }
    for (base, numbers) in sets.sorted(by: { $0.key < $1.key }) {
      guard let number = numbers.first, let oldest = numbers.last,
        number == 0 || LocalFile.exists(base)
      else { continue }
      var unread: [String] = []
      for number in stride(from: number + 1, through: RecordingOptions.mostKeptFiles, by: 1) {
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
        "\(path): the earlier part of the recording, \(names), is not read; name all files with"
          + " \(base)*")
    }
  }
}
