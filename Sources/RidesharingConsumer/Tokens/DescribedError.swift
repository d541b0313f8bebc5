import Foundation
import Tripwire

/// A one-line description of an error of Foundation, or of one with a text for users. The
/// descriptions of `URLError` and `NSError` are long and repeat themselves.
struct DescribedError: Error, CustomStringConvertible {
  let description: String
  /// The described error.
  let error: any Error
  // The domain and code of the error as an `NSError`, which identify equal errors and network errors. On
  // Linux, a `POSIXError` itself has others.
  let _domain: String
  let _code: Int

  private init(_ description: String, _ error: any Error) {
    let known = error as NSError
    (self.description, self.error) = (description, error)
    (_domain, _code) = (known.domain, known.code)
  }

  /// Returns the error with its localized description; the error itself if it has none.
  static func describing(_ error: any Error) -> any Error {
    if let text = (error as? any LocalizedError)?.errorDescription {
      return DescribedError(text, error)
    }
    guard !(error is CallError), type(of: error) is NSError.Type || error is any CustomNSError
    else { return error }
    let known = error as NSError
    let text = known.userInfo[NSLocalizedDescriptionKey] as? String ?? "error"
    return DescribedError("\(text) (\(known.domain) \(known.code))", error)
  }
}
