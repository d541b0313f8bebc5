package import Recording
package import WireProtobuf
import WireSystem

/// The recording or the script that a server replays.
package enum ReplaySource: Sendable {
  case recording(RecordedCalls)
  case script(ReplayScript)

  /// Reads gRPC binary logs, as parts of one recording, or a script (JSON). The first bytes decide: a log
  /// begins with a length, and the first byte of a script, such as a brace or white space, would mean a length
  /// of more than 100 MB.
  ///
  /// - Parameters:
  ///   - paths: of files, or `-` for standard input.
  ///   - types: finds the JSON types of a script that are not Fleet Engine's, by their URLs.
  ///   - deadline: ends the read, also while there is more to read; nil for no limit.
  ///   - pipeDeadline: the same for pipes and devices, if `deadline` is nil.
  /// - Throws: ``ReplayError``, with the place that cannot be read.
  package init(
    paths: [String], types: (@Sendable (String) -> RuntimeJSONType?)? = nil,
    until deadline: ContinuousClock.Instant? = nil,
    pipesUntil pipeDeadline: ContinuousClock.Instant? = nil
  ) throws(ReplayError) {
    let files = try mapError(BinaryLogSet(paths: paths)) { (error: BinaryLogError) in
      ReplayError(error.description)
    }
    let sources = try files.sources.map { source throws(ReplayError) in
      let isPipe = source.file.identity == nil
      return try Self.begun(source, until: deadline ?? (isPipe ? pipeDeadline : nil))
    }
    if let script = sources.first(where: { Self.isJSON($0.beginning) }) {
      guard sources.count == 1 else {
        throw ReplayError(
          "\(script.path): a script cannot be combined with other files",
          hint: "replay the script alone")
      }
      var made = try ReplayScript(
        path: script.path, try Self.contents(of: script), types: types)
      made.warnings = files.warnings
      self = .script(made)
      return
    }
    var calls = try mapError(RecordedCalls(sources)) { (error: BinaryLogError) in
      guard error.isOtherFile else {
        return ReplayError("\(error)", hint: error.hint, error.fileError)
      }
      return ReplayError(
        "\(error.path): neither a gRPC binary log nor a script (JSON that begins with {):"
          + " \(error.reason)", hint: error.hint ?? Self.hintForYAML(error.path))
    }
    calls.warnings = files.warnings + calls.warnings
    self = .recording(calls)
  }

  /// The source with its first bytes read.
  private static func begun(
    _ source: BinaryLogSource, until deadline: ContinuousClock.Instant?
  ) throws(ReplayError) -> BinaryLogSource {
    let bytes = try mapError(source.file.next(until: deadline)) { (error: IOError) in
      let error = FileReadError(error)
      return ReplayError("\(source.path): \(error)", hint: error.hint, error)
    }
    var source = BinaryLogSource(path: source.path, source.file, after: bytes)
    source.deadline = deadline
    return source
  }

  /// The parts that could not be read, and the files that are skipped.
  package var warnings: [String] {
    switch self {
    case .recording(let calls): calls.warnings
    case .script(let script): script.warnings
    }
  }

  private static func isJSON(_ bytes: [UInt8]) -> Bool {
    if bytes.starts(with: JSONScanner.byteOrderMark) { return true }
    guard let first = bytes.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) else {
      return !bytes.isEmpty
    }
    return first == UInt8(ascii: "{")
  }

  /// Nil for the name of a file of another format.
  private static func hintForYAML(_ path: String) -> String? {
    guard [".yaml", ".yml"].contains(where: { path.lowercased().hasSuffix($0) }) else { return nil }
    return "convert YAML to JSON first: yq -o=json \(path) >script.json, or with Debian's yq:"
      + " yq . \(path) >script.json"
  }

  /// The largest script, in bytes.
  private static let sizeLimit = 64 << 20

  private static func contents(of source: BinaryLogSource) throws(ReplayError) -> [UInt8] {
    do throws(FileReadError) {
      let limit = sizeLimit - source.beginning.count
      return source.beginning + (try source.file.contents(limit: limit, until: source.deadline))
    } catch .tooLarge {
      throw ReplayError(
        "\(source.path): a script must not be larger than \(sizeLimit >> 20) MiB")
    } catch {
      throw ReplayError("\(source.path): \(error)", hint: error.hint, error)
    }
  }
}
