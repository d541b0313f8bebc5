import CommandShell

/// Fits the lines of several resources to the width of a terminal.
enum FollowColumns {
  /// The cells of a line, in their order.
  private enum Cell: Int {
    case name, status, eta, distance, stop, seen
  }

  /// The cells that are cut on a narrow terminal, in this order, and their least widths. The stop is part
  /// of the status, too.
  private static let shrinking: [(cell: Cell, least: Int)] = [
    (.stop, 0), (.name, 20), (.status, 17), (.name, 9),
  ]

  /// Returns lines of cells, each column as wide as its widest cell if there is room.
  static func fitted(_ lines: [[String]], to limit: Int) -> [String] {
    var widths = columnWidths(lines)
    for (cell, least) in shrinking where cell.rawValue < widths.count {
      let used = widths.filter { $0 > 0 }
      let excess = used.reduce(0, +) + 2 * (used.count - 1) - limit
      guard excess > 0 else { break }
      let width = widths[cell.rawValue]
      widths[cell.rawValue] = least == 0 ? 0 : min(width, max(least, width - excess))
    }
    return drawn(lines, widths: widths)
  }
}
