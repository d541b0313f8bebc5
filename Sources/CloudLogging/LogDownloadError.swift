/// The reason why log entries cannot be downloaded, other than a failed call.
package enum LogDownloadError: Error, Equatable {
  /// The pages would never end.
  case repeatedPageToken
  case tooManyPages
  case tooLarge
  case tooMany
}

extension LogDownloadError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .repeatedPageToken: "the server repeats a page token"
    case .tooManyPages: "there are more than \(LogDownload.pageLimit) pages"
    case .tooLarge: "the entries have more than \(LogDownload.sizeLimit >> 20) MiB"
    case .tooMany: "there are more than \(LogDownload.entryLimit) entries"
    }
  }
}
