import Foundation
import Tripwire

/// An error of Foundation's or with a text for users, in one line: `URLError` and `NSError` describe
/// themselves at length, and twice.
struct DescribedError: Error, CustomStringConvertible {
  let description: String
  /// What it describes.
  let error: any Error

  /// The error itself when it has nothing of the kind.
  static func describing(_ error: any Error) -> any Error {
    if let text = (error as? any LocalizedError)?.errorDescription {
      return DescribedError(description: text, error: error)
    }
    let known = error as NSError
    guard !(error is CallError), let text = known.userInfo[NSLocalizedDescriptionKey] as? String
    else { return error }
    return DescribedError(
      description: "\(text) (\(known.domain) \(known.code))", error: error)
  }
}
