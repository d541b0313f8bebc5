#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Lines on a terminal that are written over when they change.
struct LiveScreen {
  private var shown = 0

  /// What the terminal is to be sent for these lines to stand where the last ones did. A line that is
  /// too long is cut: a second row would not be written over.
  mutating func replace(with lines: [String], columns: Int) -> String {
    // Up to the first of the old lines, and clear all below.
    var text = shown == 0 ? "" : "\u{1b}[\(shown)A\u{1b}[J"
    for line in lines { text += cut(line, to: max(1, columns - 1)) + "\n" }
    shown = lines.count
    return text
  }

  /// That of stdout; 80 by 24 when it does not say.
  static func size() -> (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return (80, 24)
    }
    return (Int(size.ws_col), Int(size.ws_row))
  }
}
