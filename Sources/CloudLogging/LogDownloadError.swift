/// The reason why log entries cannot be downloaded, other than a failed call.
package enum LogDownloadError: Error, Equatable {
  /// The pages would never end.
  case repeatedPageToken
  case tooLarge
  case tooMany
  /// An entry that JSON cannot express.
  case unwritable(String)
}

extension LogDownloadError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .repeatedPageToken: "the server repeats a page token"
    case .tooLarge: "the entries have more than \(DownloadedEntries.sizeLimit >> 20) MiB"
    case .tooMany: "there are more than \(DownloadedEntries.countLimit) entries"
    case .unwritable(let reason): "an entry cannot be written as JSON: \(reason)"
    }
  }
}
