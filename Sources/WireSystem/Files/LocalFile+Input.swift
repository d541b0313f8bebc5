extension LocalFile {
  /// Returns the name of a file in messages: "stdin" for `-`.
  package static func name(of path: String) -> String { path == "-" ? "stdin" : path }

  /// Returns the bytes of a file, or of standard input if the path is `-`.
  ///
  /// - Parameters:
  ///   - path: of the file, or `-`.
  ///   - limit: the largest size in bytes.
  ///   - deadline: ends the wait for a writer; nil waits for a file up to ``defaultTimeout``, and for
  ///     standard input without a limit.
  package static func input(
    _ path: String, limit: Int, until deadline: ContinuousClock.Instant? = nil
  ) throws(FileReadError) -> [UInt8] {
    path == "-"
      ? try LocalFile().contents(limit: limit, until: deadline)
      : try contents(of: path, limit: limit, until: deadline)
  }
}
