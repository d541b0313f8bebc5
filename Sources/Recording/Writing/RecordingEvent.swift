/// A change of the state of a recording.
public enum RecordingEvent: Sendable, Hashable {
  /// The recorder begins to drop entries: writing fails, or the queue is full.
  case paused(reason: String)
  /// The recorder could not start the next file, or a new file in place of one that was moved. It appends
  /// entries to the present file.
  case notRotated(reason: String)
  /// The problem of ``paused(reason:)`` or ``notRotated(reason:)`` is over.
  case resumed
}

extension RecordingEvent: CustomStringConvertible {
  /// The reason of the problem; nil for ``resumed``.
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
