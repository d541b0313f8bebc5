import WireGRPC

extension CallError {
  /// Whether another error reports the same failure.
  ///
  /// Durations in messages ("after 3 ms", from libcurl and URLSession) are not compared. Errors of
  /// the caller's code are compared by domain and code if they have their own, as an NSError does.
  func isSameFailure(as other: CallError) -> Bool {
    guard isSimilar(to: other), connectionFailure?.reason == other.connectionFailure?.reason
    else { return false }
    // Readers must be notified when the wait until the next attempt grows.
    if let refused = refusedToken, let other = other.refusedToken {
      return refused.description == other.description
    }
    if let failure = connectionFailure, let other = other.connectionFailure {
      return isSameText(failure.detail, other.detail)
    }
    if let error = underlyingError, let other = other.underlyingError,
      error.hasOwnDomain, other.hasOwnDomain
    {
      return error._domain == other._domain && error._code == other._code
    }
    return isSameText(message, other.message)
  }

  /// Whether both have the same code and origin. A call whose token the server refused and the
  /// calls that are not sent because of that count as the same origin.
  func isSimilar(to other: CallError) -> Bool {
    code == other.code
      && (origin == other.origin || refusedToken != nil && other.refusedToken != nil)
  }
}

extension Error {
  /// The domain of a plain Swift error is its type's name, and the code of a struct is always 1.
  fileprivate var hasOwnDomain: Bool { _domain != String(reflecting: type(of: self)) }
}

/// Whether two texts differ only in durations.
package func isSameText(_ text: String, _ other: String) -> Bool {
  text == other || withoutDurations(text) == withoutDurations(other)
}

/// Returns the text with a 0 byte in place of each duration: "3 ms", "1m30.5s", "2 seconds".
func withoutDurations(_ text: String) -> [UInt8] {
  var rest = Array(text.utf8)[...]
  var result: [UInt8] = []
  while let byte = rest.first {
    let isInWord = result.last.map { $0.isASCIILetter || $0.isASCIIDigit } ?? false
    if byte.isASCIIDigit, !isInWord, let length = durationLength(rest) {
      rest = rest.dropFirst(length)
      // A duration with several units is one duration.
      if result.last != 0 { result.append(0) }
    } else {
      rest = rest.dropFirst()
      result.append(byte)
    }
  }
  return result
}

/// Returns the length in bytes of the duration at the start of the text; nil if there is none.
private func durationLength(_ text: ArraySlice<UInt8>) -> Int? {
  let afterNumber = text.drop { $0.isASCIIDigit || $0 == UInt8(ascii: ".") }
  let unitAndRest = afterNumber.first == UInt8(ascii: " ") ? afterNumber.dropFirst() : afterNumber
  let unit = unitAndRest.prefix { $0.isASCIILetter || $0 >= 0x80 }
  guard units.contains(String(decoding: unit, as: UTF8.self)) else { return nil }
  return unit.endIndex - text.startIndex
}

private let units: Set<String> = [
  "ns", "us", "µs", "μs", "ms", "s", "m", "h", "sec", "secs", "min", "mins",
  "nanosecond", "nanoseconds", "microsecond", "microseconds", "millisecond", "milliseconds",
  "second", "seconds", "minute", "minutes", "hour", "hours",
]

extension UInt8 {
  var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  var isASCIILetter: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
  }
}
