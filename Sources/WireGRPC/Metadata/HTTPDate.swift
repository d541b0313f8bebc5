import WireProtobuf

/// The dates of HTTP headers (RFC 9110 section 5.6.7).
package enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Returns the time of `Sun, 06 Nov 1994 08:49:37 GMT` in seconds since 1970; nil for any other form.
  package static func seconds(_ text: String) -> Int64? {
    let words = text.split(separator: " ")
    guard words.count == 6, words[5] == "GMT", words[0].utf8.count == 4,
      let month = months.firstIndex(of: String(words[2]))
    else { return nil }
    // A leap second, which RFC 9110 permits, is the last second of the minute.
    let time = words[4].hasSuffix(":60") ? words[4].dropLast(2) + "59" : words[4]
    let date = "\(words[3])-\(month < 9 ? "0" : "")\(month + 1)-\(words[1])T\(time)Z"
    return (try? Timestamp(jsonString: "\"\(date)\""))?.seconds
  }
}
