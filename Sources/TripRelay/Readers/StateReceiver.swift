package import RelayAPI

/// Takes the states that a reader receives.
package protocol StateReceiver: Sendable {
  /// - Parameter age: the age of the state, by the clock of NATS; nil if it has none.
  func write(_ state: ResourceState, age: Duration?)

  /// Whether nobody needs the states any more.
  var isClosed: Bool { get }
}
