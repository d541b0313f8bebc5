/// The operations that a descriptor is, or should be, ready for.
package struct Readiness: OptionSet, Sendable, Hashable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Data, a connection to accept, the end of the stream or an error can be read.
  package static let read = Readiness(rawValue: 1)
  /// Data can be written, a connection attempt has ended, or there is an error.
  package static let write = Readiness(rawValue: 2)
}

/// The watch of an `EventLoop` on one descriptor.
///
/// Belongs to the loop, so it is not Sendable. It keeps its handler until it is canceled. Cancel it
/// before you close the descriptor.
package final class Watch {
  let fileDescriptor: Int32
  var interest: Readiness
  var handler: ((Readiness) -> Void)?
  var index: Int
  /// The set that contains it; `nil` after it was canceled.
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

  /// Changes the interest. With `[]` nothing is reported, not even a hang-up.
  package func update(_ interest: Readiness) {
    guard self.interest != interest else { return }
    self.interest = interest
    set?.update(self)
  }

  /// Ends the watch and releases the handler. The handler is not called anymore, even if the
  /// descriptor was already found to be ready. A second call does nothing.
  package func cancel() {
    set?.remove(self)
  }
}
