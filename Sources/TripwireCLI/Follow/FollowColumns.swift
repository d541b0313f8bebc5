/// How the lines of several trips share the columns of a terminal.
enum FollowColumns {
  /// The cells of a line, in their order.
  private enum Cell: Int {
    case name, status, eta, distance, stop, seen
  }

  /// What gives way first when there is too little room, and down to how many columns. The stop is in
  /// the status, too.
  private static let shrinking: [(cell: Cell, least: Int)] = [
    (.stop, 0), (.name, 20), (.status, 17), (.name, 9),
  ]

  /// Lines of cells, every column as wide as its widest cell as long as there is room.
  static func fitted(_ lines: [[String]], to limit: Int) -> [String] {
    var widths = (0...Cell.seen.rawValue).map { column in
      lines.map { column < $0.count ? columns(of: $0[column]) : 0 }.max() ?? 0
    }
    for (cell, least) in shrinking {
      let used = widths.filter { $0 > 0 }
      let excess = used.reduce(0, +) + 2 * (used.count - 1) - limit
      guard excess > 0 else { break }
      let width = widths[cell.rawValue]
      widths[cell.rawValue] = least == 0 ? 0 : min(width, max(least, width - excess))
    }
    return lines.map { cells in
      var line = ""
      for (cell, width) in zip(cells, widths) where width > 0 {
        line += padded(cutInside(cell, to: width), to: width + 2)
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}
