/// An HTTP request for a method.
package struct HTTPCallRequest: Sendable {
  /// `GET`
  package var method: String
  /// Percent-encoded, without the query.
  package var path: String
  /// Percent-encoded, without the question mark.
  package var query = ""
  package var contentType: String?
  /// The value of `x-goog-fieldmask`, which is another form of the parameter `fields`.
  package var fieldMask: String?
  package var body: [UInt8] = []

  package init(method: String, path: String) {
    self.method = method
    self.path = path
  }

  /// The names and values of the query, decoded.
  var parameters: [(name: String, value: String)] {
    get throws(TranscodingError) {
      var found: [(name: String, value: String)] = []
      for part in query.split(separator: "&") {
        let text = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
          .map { text in
            String(text.map { $0 == "+" ? " " : $0 }).percentDecoded()
          }
        guard let name = text[0], let value = text.count > 1 ? text[1] : "" else {
          throw .invalid(String(part), "is not valid percent-encoding of UTF-8")
        }
        found.append((name, value))
      }
      return found
    }
  }

  /// Whether the body is in JSON, or empty.
  var hasJSON: Bool {
    guard !body.isEmpty, let contentType else { return true }
    let parts = contentType.lowercased().split(separator: ";").map { part in
      String(part.filter { $0 != " " && $0 != "\"" })
    }
    return parts.first == "application/json"
      && parts.dropFirst().allSatisfy { !$0.hasPrefix("charset=") || $0 == "charset=utf-8" }
  }
}
