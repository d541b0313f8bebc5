import Synchronization
import WireSystem

/// A live view on the alternate screen of a terminal.
///
/// That screen has no scrollback, and terminals do not wrap its lines again after a resize; on the main
/// screen, a resize would leave old lines behind. Rows are erased one by one, because a terminal may copy
/// the screen to its scrollback when all of it is erased.
package struct LiveScreen {

  package init() {}
  private static let open = "\u{1b}[?1049h"
  private static let close = "\u{1b}[?1049l"

  /// Returns the output that makes the terminal show only these lines.
  ///
  /// - Parameter lines: fewer than `rows`, as the cursor stands below them. A line that is too long is cut.
  package func draw(_ lines: [String], columns: Int, rows: Int) -> String {
    let start = isOpen.exchange(true, ordering: .relaxed) ? "" : Self.open
    return start + filled(with: lines, columns: columns, rows: rows)
      + "\u{1b}[\(lines.count + 1);1H"
  }

  /// Returns the output that restores the main screen and adds these lines to it.
  package func end(_ lines: [String], columns: Int, rows: Int) -> String {
    var text = ""
    if isOpen.exchange(false, ordering: .relaxed) {
      // tmux 3.3 leaves rows behind on the other screen when the terminal has become wider.
      text = filled(with: [], columns: columns, rows: rows) + Self.close
    }
    return text + lines.map { fitted($0, to: columns) + "\n" }.joined()
  }

  private func filled(with lines: [String], columns: Int, rows: Int) -> String {
    let blanks = Array(repeating: "", count: max(0, rows - lines.count))
    let drawn = (lines.map { fitted($0, to: columns) } + blanks).map { $0 + "\u{1b}[K" }
    return "\u{1b}[H" + drawn.joined(separator: "\r\n")
  }

  /// Leaves the alternate screen before the process ends, if stdout can be written at once.
  static func abandon() {
    var terminal = pollfd(fd: 1, events: Int16(POLLOUT), revents: 0)
    guard isOpen.exchange(false, ordering: .relaxed), poll(&terminal, 1, 0) == 1 else { return }
    try? Console.write(close, to: 1)
  }

  private func fitted(_ line: String, to columns: Int) -> String {
    Palette.changing(line) { cut($0, to: max(1, columns - 1)) }
  }

  /// Returns the size of the terminal; 80 by 24 if it is unknown.
  ///
  /// - Parameter file: the descriptor of the terminal.
  package static func size(of file: Int32 = 1) -> (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(file, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return (80, 24)
    }
    return (Int(size.ws_col), Int(size.ws_row))
  }
}

/// Whether stdout is on its alternate screen.
private let isOpen = Atomic(false)
