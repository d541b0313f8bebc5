/// Counts the parts of a recording that an anonymous copy leaves out.
package final class Omissions {
  /// By the name of the field or another kind of content: "Trip.attributes". With the reason if other
  /// content of that kind is copied.
  package private(set) var contents: [String: (count: Int, reason: String?)] = [:]
  /// The number of calls by their method, "" for calls without a start in the recording.
  package private(set) var calls: [String: Int] = [:]

  init() {}

  /// - Parameters:
  ///   - content: "Trip.attributes"; nothing that comes from the recording.
  ///   - reason: the reason, if other content of this kind is copied.
  func add(_ content: String, _ count: Int = 1, because reason: String? = nil) {
    contents[content, default: (0, reason)].count += count
  }

  func add(callOf method: String?) { calls[method ?? "", default: 0] += 1 }
}
