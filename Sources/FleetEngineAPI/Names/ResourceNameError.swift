/// An error in a resource name, with the range of the invalid part.
public struct ResourceNameError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name as given.
  public let name: String
  /// The invalid part, as character offsets in ``name``; empty where a part is missing.
  public let range: Range<Int>
  /// The cause of the error and the expected form.
  public let reason: String

  /// The reason and the name, on one line.
  public var description: String { "\(reason) (at character \(range.lowerBound + 1) of \(name))" }
}
