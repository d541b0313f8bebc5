/// What is recorded, and where it ends up.
public struct RecordingOptions: Sendable, Hashable {
  public var filter = RecordingFilter.all
  /// How large a file may get, in bytes, before the next one is begun; nil for as large as it will.
  public var maxFileSize: Int?
  /// How long a file is written to before the next one is begun; nil for ever.
  public var maxFileAge: Duration?
  /// How many files are kept beside the one that is written to: "trip.binlog.1", the newest, to
  /// "trip.binlog.5", the oldest. With 0 or less what is in the file is lost when the next one would be
  /// begun; more than ``mostKeptFiles`` are not kept.
  public var keptFiles = 5
  /// 999: readers take a higher number for a date.
  public static let mostKeptFiles = 999
  /// How many bytes may wait for the disk. What comes when there are more is not recorded, but
  /// counted: calls never wait.
  public var maxQueuedBytes = 16 << 20

  public init() {}
}

/// Why a recording cannot begin.
public struct RecordingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// With the file, and what to do about it.
  public var description: String
}

/// What became of a recording.
public struct RecordingReport: Sendable, Hashable {
  /// How many entries were written.
  public var written = 0
  /// How many are missing, for the disk was too slow, or failed.
  public var missing = 0
  /// How many calls the filter left out.
  public var leftOutCalls = 0
  /// How many of these no pattern of the filter names, not even to leave them out.
  public var unnamedCalls = 0
  /// The last that went wrong with the disk, or that others may read the file that was begun.
  public var error: String?
}
