public import Foundation

/// The base class of the SDK's immutable data objects. Two are equal if their contents are.
//
// Sendable, because all properties of this class and its subclasses are constants of Sendable types.
// `content` is an AnyHashable, which is not Sendable, but its value is.
public class GMTCImmutableData: NSObject, NSCopying, @unchecked Sendable {
  private let content: AnyHashable

  /// - Parameter content: everything that determines equality within a class.
  init(content: some Hashable & Sendable) {
    self.content = AnyHashable(content)
  }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? GMTCImmutableData, type(of: other) == type(of: self) else {
      return false
    }
    return content == other.content
  }

  public override var hash: Int { content.hashValue }

  /// The object itself.
  public func copy(with zone: NSZone? = nil) -> Any { self }
}
