/// A JSON object whose values are JSON already.
package struct JSONObject {
  private var members: String

  /// - Parameter members: JSON without the braces.
  package init(members: String = "") { self.members = members }

  /// - Parameter value: nil to leave the member out.
  package mutating func add(_ name: String, _ value: String?) {
    guard let value else { return }
    if !members.isEmpty { members += "," }
    members += "\"\(name)\":\(value)"
  }

  package var text: String { "{\(members)}" }
}
