import CommandLine

/// Names and values in two aligned columns, for people. A dash stands for a value that is not set.
package struct TextTable {
  private var rows: [(name: String, lines: [String])] = []

  package init() {}

  package static let unset = "—"

  /// One field; values come from a peer and are escaped.
  package mutating func add(_ name: String, _ value: String?) {
    rows.append((name, [value.map { $0.isEmpty ? Self.unset : escaped($0) } ?? Self.unset]))
  }

  /// A field with a line for each value.
  package mutating func add(_ name: String, _ values: [String]) {
    rows.append((name, values.isEmpty ? [Self.unset] : values.map(escaped)))
  }

  package var nameWidth: Int { rows.map(\.name.count).max() ?? 0 }

  package var description: String { lines.map { $0 + "\n" }.joined() }

  /// The lines without line ends.
  package var lines: [String] {
    let width = nameWidth
    return rows.flatMap { row in
      row.lines.enumerated().map { index, line in
        let name = index == 0 ? row.name : ""
        return name + String(repeating: " ", count: width - name.count + 2) + line
      }
    }
  }
}

/// Returns lines of cells, each column as wide as its widest cell.
package func aligned(_ lines: [[String]]) -> [String] {
  drawn(lines, widths: columnWidths(lines))
}

/// Returns the width of the widest cell of each column.
package func columnWidths(_ lines: [[String]]) -> [Int] {
  (0..<(lines.map(\.count).max() ?? 0)).map { column in
    lines.map { column < $0.count ? columns(of: $0[column]) : 0 }.max() ?? 0
  }
}

/// Returns widths of columns that fit into `limit` columns of a terminal, if there is room for the least widths.
///
/// - Parameter cells: the columns to make narrower, in this order, and their least widths; 0 leaves one out.
package func fitted(
  _ widths: [Int], to limit: Int, shrinking cells: [(column: Int, least: Int)]
) -> [Int] {
  var widths = widths
  for (column, least) in cells where column < widths.count {
    let used = widths.filter { $0 > 0 }
    let excess = used.reduce(0, +) + 2 * (used.count - 1) - limit
    guard excess > 0 else { break }
    widths[column] = least == 0 ? 0 : min(widths[column], max(least, widths[column] - excess))
  }
  return widths
}

/// Returns lines of cells in columns of these widths. Columns of width 0 are left out.
package func drawn(_ lines: [[String]], widths: [Int]) -> [String] {
  lines.map { cells in
    var line = ""
    for (cell, width) in zip(cells, widths) where width > 0 {
      line += padded(cutInside(cell, to: width), to: width + 2)
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}
