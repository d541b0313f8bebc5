/// Options for a recording.
public struct RecordingOptions: Sendable, Hashable {
  /// The methods to record; all by default.
  public var filter = RecordingFilter.all
  /// The maximum size of a file in bytes; nil for no limit.
  public var maxFileSize: Int?
  /// The age at which the next file is started, or up to 1/8 later while calls are running; nil for
  /// no limit.
  public var maxFileAge: Duration?
  /// The number of rotated files to keep: "trip.binlog.1", the newest, to "trip.binlog.5", the
  /// oldest. With 0 or less, the contents are deleted when the file would be rotated. At most
  /// ``maxKeptFiles`` are kept.
  public var keptFiles = 5
  /// The maximum of ``keptFiles``: 999, because a longer number at the end of a file name may be a
  /// date.
  public static let maxKeptFiles = 999
  /// The maximum number of bytes that wait to be written. Calls never wait: entries beyond the
  /// limit are dropped and counted.
  public var maxQueuedBytes = 16 << 20

  /// Creates options without limits of size and age.
  public init() {}
}

/// An error that prevents a recording from starting.
public struct RecordingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file and the reason.
  public var description: String
  /// One action for the user; nil if none is known.
  package var hint: String?
}

/// The result of a recording.
public struct RecordingReport: Sendable, Hashable {
  /// The number of entries that were written.
  public var written = 0
  /// The number of entries that were dropped because the queue was full, writing failed, or the
  /// recorder was closed.
  public var dropped = 0
  /// The number of calls that the filter excluded.
  public var excludedCalls = 0
  /// The number of those among ``excludedCalls`` that match no pattern at all. The others match a pattern
  /// that begins with `-`.
  public var unmatchedCalls = 0
  /// The last write error, or a warning that other users can access the current file.
  public var error: String?
}
