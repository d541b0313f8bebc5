import CommandLine
import CommandShell
import DynamicProtobuf
import FleetEmulator
import WireGRPC
import WireProtobuf
import WireSystem

/// The file of `--faults`: the JSON of `tripwire.emulator.v1.Faults`.
enum FaultsFile {
  private static let largest = 4 << 20

  /// Reads a file, and checks its faults.
  ///
  /// - Throws: a report with the line and the column of the error.
  static func faults(_ path: String) throws(ErrorReport) -> [Fault] {
    let text = try mapError(
      JSONScanner.withoutByteOrderMark(LocalFile.contents(of: path, limit: largest))
    ) { (error: FileReadError) in
      ErrorReport("faults", path, error)
    }
    var options = JSONDecodingOptions()
    options.types.others = try? EmbeddedSchema.pool([]).jsonType
    let file = try mapError(Faults(jsonUTF8Bytes: text, options: options)) {
      (error: JSONDecodingError) in
      report(
        path, (error.line, error.column),
        (error.namePath.isEmpty ? "" : "\(error.namePath): ") + "\(error.reason)")
    }
    for (index, fault) in file.faults.enumerated() {
      try mapError(fault.check("faults[\(index)]")) { (error: EngineError) in
        let violation = error.violations.first
        let place = JSONLocator.find(steps(to: violation?.field ?? ""), in: text)
        return report(
          path, (place.line, place.column),
          violation.map { "\($0.field): \($0.description)" } ?? error.status.message)
      }
    }
    return file.faults
  }

  /// Returns the path in the text of a field such as `faults[0].status.code`.
  private static func steps(to field: String) -> [JSONLocator.Step] {
    field.split(separator: ".").flatMap { part -> [JSONLocator.Step] in
      let name = String(part.prefix { $0 != "[" })
      let index = Int(part.dropFirst(name.count).dropFirst().dropLast())
      return [.key(FieldMask.lowerCamel(name) ?? name)] + (index.map { [.index($0)] } ?? [])
    }
  }

  private static func report(
    _ path: String, _ place: (line: Int, column: Int), _ reason: String
  ) -> ErrorReport {
    ErrorReport(
      local: escaped("--faults: \(path):\(place.line):\(place.column): \(reason)"),
      hint: escaped("correct \(path) at line \(place.line), column \(place.column)"))
  }
}
