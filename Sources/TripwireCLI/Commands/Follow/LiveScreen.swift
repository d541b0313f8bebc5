import Synchronization
import WireSystem

/// Lines that are kept up to date on the alternate screen of a terminal.
///
/// That screen has no scrollback, and terminals do not wrap its lines anew when they are resized: on
/// the other one, each would leave remains. Rows are erased one by one, as a terminal may copy a
/// display that is erased as a whole to its scrollback.
struct LiveScreen {
  private static let open = "\u{1b}[?1049h"
  private static let close = "\u{1b}[?1049l"

  /// Returns what has the terminal show these lines and nothing else.
  ///
  /// - Parameters:
  ///   - lines: fewer than `rows`, as the cursor stands below them. A line that is too long is cut.
  ///   - columns: of the terminal.
  ///   - rows: of the terminal.
  func draw(_ lines: [String], columns: Int, rows: Int) -> String {
    let start = isOpen.exchange(true, ordering: .relaxed) ? "" : Self.open
    return start + filled(with: lines, columns: columns, rows: rows)
      + "\u{1b}[\(lines.count + 1);1H"
  }

  /// Returns what has the terminal show again what it showed before, and these lines below that.
  func end(_ lines: [String], columns: Int, rows: Int) -> String {
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

  /// Leaves the alternate screen, if stdout is on it and can be written at once: for a process that is
  /// about to end.
  static func abandon() {
    var terminal = pollfd(fd: 1, events: Int16(POLLOUT), revents: 0)
    guard isOpen.exchange(false, ordering: .relaxed), poll(&terminal, 1, 0) == 1 else { return }
    try? Console.write(close, to: 1)
  }

  private func fitted(_ line: String, to columns: Int) -> String {
    cut(line, to: max(1, columns - 1))
  }

  /// Returns the size of the terminal that is stdout; 80 by 24 when it does not say.
  static func size() -> (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return (80, 24)
    }
    return (Int(size.ws_col), Int(size.ws_row))
  }
}

/// Whether stdout is on its alternate screen.
private let isOpen = Atomic(false)
