/// An error of an export, or the reason why a part of it is left out.
package struct CloudLogError: Error, CustomStringConvertible {
  package let description: String
  /// Whether the description begins with a line.
  private let isPlaced: Bool

  package init(_ description: String) {
    self.init(description, isPlaced: false)
  }

  init(_ description: String, isPlaced: Bool) {
    self.description = description
    self.isPlaced = isPlaced
  }

  /// "logs.json:3: timestamp is missing".
  package func text(of file: String) -> String { "\(file):\(isPlaced ? "" : " ")\(description)" }
}
