public import Foundation

/// What the SDK's data objects have in common: they never change, and two are equal when all that is
/// in them is.
///
/// `@unchecked Sendable`, also in its subclasses: all of their properties are constants of Sendable
/// types, and `content` holds one such.
public class GMTCImmutableData: NSObject, NSCopying, @unchecked Sendable {
  private let content: AnyHashable

  /// - Parameter content: all that two objects of a class are compared by.
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
