/// How a file of a rotated set is called: "trip.binlog" the one that is written to, "trip.binlog.1" the
/// one before it, with ".gz" behind it where it was compressed, as logrotate does.
struct RotatedName: Hashable {
  /// The name of the file that is written to.
  let base: String
  /// 0 of that one, and the higher the older.
  let number: Int

  init(_ path: String) {
    let name = path.hasSuffix(".gz") ? path.dropLast(3) : path[...]
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")),
      let number = Int(name[dot...].dropFirst()), 1...RecordingOptions.mostKeptFiles ~= number,
      name[dot...].dropFirst() == String(number)
    else {
      base = String(name)
      number = 0
      return
    }
    base = String(name[..<dot])
    self.number = number
  }

  /// The path of one; 0 is the one that is written to.
  static func path(_ base: String, _ number: Int) -> String {
    number == 0 ? base : "\(base).\(number)"
  }
}
