/// The dates of HTTP headers (RFC 9110 section 5.6.7).
package enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Returns the time of `Sun, 06 Nov 1994 08:49:37 GMT` in seconds since 1970; nil for any other form.
  package static func seconds(_ text: String) -> Int64? {
    let words = text.split(separator: " ")
    guard words.count == 6, words[5] == "GMT", words[0].utf8.count == 4,
      let month = months.firstIndex(of: String(words[2])),
      let day = number(words[1], 1...31), let year = number(words[3], 1970...9999)
    else { return nil }
    let parts = words[4].split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let hour = number(parts[0], 0...23),
      let minute = number(parts[1], 0...59),
      let second = number(parts[2], 0...60)
    else { return nil }
    // Years begin in March, so that the leap day is the last day.
    let shifted = month < 2 ? year - 1 : year
    let dayOfYear = (153 * Int64((month + 10) % 12) + 2) / 5 + day - 1
    let leapDays = shifted / 4 - shifted / 100 + shifted / 400
    let days = 365 * shifted + leapDays + dayOfYear - 719_468
    return ((days * 24 + hour) * 60 + minute) * 60 + second
  }

  private static func number(_ text: Substring, _ range: ClosedRange<Int64>) -> Int64? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(text),
      range.contains(number)
    else { return nil }
    return number
  }
}
