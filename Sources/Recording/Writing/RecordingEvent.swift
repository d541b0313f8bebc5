/// A change of the state of a recording.
public enum RecordingEvent: Sendable, Hashable {
  /// Entries begin to be dropped: writing fails, or the queue is full.
  case paused(reason: String)
  /// The next file could not be started, or no new one in place of a file that was moved. Entries are
  /// appended to the present file.
  case notRotated(reason: String)
  /// The problem of ``paused(reason:)`` or ``notRotated(reason:)`` is over.
  case resumed
}

extension RecordingEvent: CustomStringConvertible {
  /// Nil for ``resumed``.
  package var reason: String? {
    switch self {
    case .paused(let reason), .notRotated(let reason): reason
    case .resumed: nil
    }
  }

  /// "recording paused: write trip.binlog: No space left on device"
  public var description: String {
    switch self {
    case .paused(let reason): "recording paused: \(reason)"
    case .notRotated(let reason): "no new file, so the present one continues: \(reason)"
    case .resumed: "recording continues as usual"
    }
  }
}
