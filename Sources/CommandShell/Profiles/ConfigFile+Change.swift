import CommandLine
import WireProtobuf
import WireSystem

extension ConfigFile {
  /// Reads the file, or starts an empty one, and writes what `change` makes of it. Changes by other
  /// processes wait until this one is complete.
  package static func change(
    _ path: String, _ change: (inout Config) throws(ErrorReport) -> Void
  ) throws(ErrorReport) {
    let file = try mapError(ReplacedFile(path)) { (error: IOError) in
      report(error, path)
    }
    let before = try ConfigFile(path)?.config ?? Config()
    var after = before
    try change(&after)
    guard after != before else { return }
    let bytes = try bytes(after)
    guard bytes.count <= limit else {
      throw ErrorReport(
        local: "\(escaped(path)): the file would be larger than \(limit >> 20) MiB",
        hint: "remove settings with 'tripwire config unset KEY'")
    }
    do throws(IOError) {
      try file.write(bytes)
    } catch {
      throw report(error, path)
    }
  }

  private static func bytes(_ config: Config) throws(ErrorReport) -> [UInt8] {
    do throws(JSONEncodingError) {
      return Array((try config.jsonString(options: .pretty) + "\n").utf8)
    } catch {
      throw ErrorReport(local: "the configuration cannot be written as JSON: \(error)")
    }
  }

  private static func report(_ error: IOError, _ path: String) -> ErrorReport {
    let directory = String(path.dropLast(path.reversed().prefix { $0 != "/" }.count + 1))
    return ErrorReport(
      local: escaped("cannot \(error)"),
      hint: error.code == .wouldBlock
        ? "try again when no other 'tripwire config' runs"
        : "check that the directory \(escaped(directory)) can be created and written, and that its disk"
          + " has free space")
  }
}
