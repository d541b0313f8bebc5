import Foundation
import Tripwire

/// A one-line description of an error of Foundation, or of one with a text for users. The
/// descriptions of `URLError` and `NSError` are long and repeat themselves.
struct DescribedError: Error, CustomStringConvertible {
  let description: String
  /// The described error.
  let error: any Error

  // Those of the described error, by which errors are compared and those of the network are known.
  var _domain: String { error._domain }
  var _code: Int { error._code }

  /// Returns the error itself if it has no such text.
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
