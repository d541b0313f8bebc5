import Tripwire
import WireProtobuf

/// How long a trip's vehicle was not heard of.
struct VehicleSilence {
  /// One that is longer is worth a word.
  private static let limit = Duration.seconds(30)

  private let days: LogDays
  /// When its place was last another.
  private var lastMove: Timestamp?
  /// When it was told that it is silent.
  private var told: Timestamp?

  init(_ days: LogDays) {
    self.days = days
  }

  /// - Parameter hasMoved: whether the place is another than before.
  mutating func answer(_ trip: Trip, hasMoved: Bool, at time: Timestamp?) -> [StoryEvent] {
    let silent = silence(at: time)
    if hasMoved {
      lastMove = time
      told = nil
      guard let silent else { return [] }
      return [
        StoryEvent(
          "location", "vehicle heard of again after \(Units.latency(silent))",
          ("seconds", StoryEvent.json(silent)))
      ]
    }
    guard told == nil, !trip.tripStatus.isFinal, let silent else { return [] }
    told = time
    let last = trip.lastLocation?.updateTime
    let reason =
      trip.lastLocation == nil
      ? "the answers have no location"
      : "the answers have an old location"
        + (last.map { ", of \(days.time($0, inLineOf: time))" } ?? "")
    return [
      StoryEvent(
        "silent", "vehicle not heard of for \(Units.latency(silent)): \(reason)",
        ("seconds", StoryEvent.json(silent)),
        ("location", trip.lastLocation == nil ? "\"missing\"" : "\"old\""),
        ("updateTime", StoryEvent.json(last)))
    ]
  }

  /// What is told when the recording ends so.
  func end(at time: Timestamp?) -> [StoryEvent] {
    guard let silent = silence(at: time), told != time else { return [] }
    return [
      StoryEvent(
        "silent", "vehicle not heard of at the end for \(Units.latency(silent))",
        ("seconds", StoryEvent.json(silent)))
    ]
  }

  /// Nil where there is none worth a word.
  private func silence(at time: Timestamp?) -> Duration? {
    guard let lastMove, let time, let silent = elapsed(from: lastMove, to: time) else { return nil }
    return silent > Self.limit ? silent : nil
  }
}
