/// An entry of a page, as it is kept.
package enum DownloadedEntry: Equatable, Sendable {
  case json([UInt8])
  /// Another query found it, too.
  case duplicate
  /// The reason.
  case unreadable(String)
}
