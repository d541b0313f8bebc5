/// What a descriptor is, or should be, ready for.
public struct Readiness: OptionSet, Sendable, Hashable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// There is something to read, a connection to accept, an end or an error.
  public static let read = Readiness(rawValue: 1)
  /// There is room to write, or an error; a connection attempt has come to its end.
  public static let write = Readiness(rawValue: 2)
}

/// An `EventLoop`'s interest in one descriptor.
///
/// Lives on the loop: not Sendable. It lasts, and keeps its handler, until cancelled; cancel it
/// before closing the descriptor.
public final class Watch {
  let fileDescriptor: Int32
  var interest: Readiness
  var handler: ((Readiness) -> Void)?
  var index: Int
  /// Where it is watched; `nil` once cancelled.
  weak var set: PollSet?

  init(
    _ fileDescriptor: Int32, _ interest: Readiness, index: Int,
    _ handler: @escaping (Readiness) -> Void, in set: PollSet
  ) {
    self.fileDescriptor = fileDescriptor
    self.interest = interest
    self.index = index
    self.handler = handler
    self.set = set
  }

  /// Says anew what to wait for. With `[]` nothing is reported, not even a hang-up.
  public func update(_ interest: Readiness) {
    guard self.interest != interest else { return }
    self.interest = interest
    set?.update(self)
  }

  /// Ends the interest and lets go of the handler. From here on the handler is not called, even
  /// if the descriptor was already found ready. A second call does nothing.
  public func cancel() {
    set?.remove(self)
  }
}
