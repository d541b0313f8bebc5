/// In which order, and how far apart, the addresses of a host are dialled (RFC 8305; gRFC A61).
///
/// The families take turns. The next address is dialled when one fails, or when the one before it
/// has not been connected for 250 ms. The first that is connected stops the race; should it then
/// fail to become ready, the race goes on.
package struct AddressRace<Address: Sendable>: ~Copyable {
  package enum Action {
    /// Dial, and call `timerFired` after the delay unless told otherwise before.
    case dial(Address, timer: Duration?)
    /// Nothing now: another address is being dialled.
    case wait
    /// All have failed.
    case giveUp
  }

  package static var headStart: Duration { .milliseconds(250) }

  private var waiting: ArraySlice<Address>
  private var dialling = 0
  /// An address is connected and on its way to be ready.
  private var hasLeader = false

  /// - Parameter family: tells the families apart; the first address's family comes first.
  package init<Family: Hashable>(_ addresses: [Address], family: (Address) -> Family) {
    let first = addresses.first.map(family)
    var leading = addresses.filter { family($0) == first }[...]
    var others = addresses.filter { family($0) != first }[...]
    var order: [Address] = []
    while !leading.isEmpty || !others.isEmpty {
      if let next = leading.popFirst() { order.append(next) }
      if let next = others.popFirst() { order.append(next) }
    }
    waiting = order[...]
  }

  package mutating func start() -> Action { next() }

  /// The last one dialled has had its head start.
  package mutating func timerFired() -> Action { hasLeader ? .wait : next() }

  /// One of those dialled has a connection; give up on the others.
  package mutating func connected() {
    hasLeader = true
    dialling = 1
  }

  /// One of those dialled has failed.
  package mutating func failed() -> Action {
    dialling -= 1
    hasLeader = false
    return next()
  }

  private mutating func next() -> Action {
    guard let address = waiting.popFirst() else { return dialling > 0 ? .wait : .giveUp }
    dialling += 1
    return .dial(address, timer: waiting.isEmpty ? nil : Self.headStart)
  }
}
