/// The name of a file in a rotated set: "trip.binlog" is the current file, "trip.binlog.1" the one
/// before it. As with logrotate, a compressed file ends in ".gz".
struct RotatedName: Hashable {
  /// The name of the current file.
  let base: String
  /// 0 for the current file; higher numbers are older.
  let number: Int

  init(_ path: String) {
    let name = path.hasSuffix(".gz") ? path.dropLast(3) : path[...]
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")),
      let number = Int(name[dot...].dropFirst()), 1...RecordingOptions.maxKeptFiles ~= number,
      name[dot...].dropFirst() == String(number)
    else {
      base = String(name)
      number = 0
      return
    }
    base = String(name[..<dot])
    self.number = number
  }

  /// Returns the path of a file; number 0 is the current one.
  static func path(_ base: String, _ number: Int) -> String {
    number == 0 ? base : "\(base).\(number)"
  }
}
