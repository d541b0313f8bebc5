import CommandShell
import WireProtobuf

/// Formats times of day, and a heading with the day and the zone where they change.
struct DayHeadings {
  private let clock: WallClock
  /// The last heading.
  private var last = ""

  init(_ clock: WallClock) {
    self.clock = clock
  }

  /// Returns "2026-11-21, times in UTC" if it differs from the last heading.
  mutating func line(for time: Timestamp?) -> String? {
    guard let time else { return nil }
    let line = "\(date(time)), times in \(clock.zone(at: time.seconds))"
    if line == last { return nil }
    last = line
    return line
  }

  /// Returns "09:30:00.000".
  func time(_ time: Timestamp?) -> String {
    time.map { String(stamp($0).suffix(12)) } ?? TextTable.unset
  }

  /// Returns "09:30:00", with the date if it differs from that of `line`.
  func time(_ time: Timestamp, inLineOf line: Timestamp?) -> String {
    let stamp = stamp(time).dropLast(4)
    return String(line.map { date($0) == date(time) } ?? false ? stamp.suffix(8) : stamp)
  }

  private func stamp(_ time: Timestamp) -> String { clock.stamp(time.seconds, nanos: time.nanos) }

  private func date(_ time: Timestamp) -> Substring { stamp(time).dropLast(13) }
}
