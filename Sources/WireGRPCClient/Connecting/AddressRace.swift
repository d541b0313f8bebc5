/// In which order, and how far apart, the addresses of a host are dialled (RFC 8305; gRFC A61).
///
/// The families take turns. The next address is dialled when one fails, or when the one before it
/// has not been connected for 250 ms. One that is connected stops the dials of the others, but that
/// is not all: behind it may be a process that hangs. Should it not be ready after a second, the
/// race goes on beside it. The first that is ready wins.
///
/// When all have been dialled and none answers, those that have not failed are dialled anew after 2 s,
/// after 4 s more and so on, beside the dials that are there: our own address may have changed, and what
/// was sent from the old one is never answered, of which no socket is told.
package struct AddressRace<Address: Sendable & Equatable>: ~Copyable {
  package enum Action {
    /// Dial, and call `timerFired` after the delay unless told otherwise before.
    case dial(Address, timer: Duration)
    /// Nothing now: another address is being dialled.
    case wait
    /// All have failed.
    case giveUp
  }

  package static var headStart: Duration { .milliseconds(250) }
  /// How long one that is connected may take to become ready before the next is dialled.
  package static var handshakeStart: Duration { .seconds(1) }

  /// In the order in which they are dialled.
  private let all: [Address]
  private var waiting: ArraySlice<Address>
  /// One that was dialled anew is there several times.
  private var dialling: [Address] = []
  /// How long to wait for an answer before all are dialled anew.
  private var patience = Duration.seconds(2)
  /// How many are connected and on their way to be ready.
  private var connected = 0

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
    all = order
    waiting = order[...]
  }

  package mutating func start() -> Action { next() }

  /// The last one dialled, or connected, has had its head start.
  package mutating func timerFired() -> Action {
    if waiting.isEmpty, connected <= 0 {
      patience *= 2
      waiting = all.filter(dialling.contains)[...]
    }
    return next()
  }

  /// One of those dialled has a connection. Give up on the others that are dialled; they come first
  /// when the race goes on, which is when the timer fires, if one is returned.
  package mutating func connected(_ address: Address) -> Duration? {
    dialling.removeAll { $0 == address }
    connected += 1
    waiting = all.filter { $0 != address && (dialling.contains($0) || waiting.contains($0)) }[...]
    dialling = []
    return waiting.isEmpty ? nil : Self.handshakeStart
  }

  /// One of those dialled, or connected, has failed.
  package mutating func failed(_ address: Address) -> Action {
    if let index = dialling.firstIndex(of: address) {
      dialling.remove(at: index)
    } else {
      connected -= 1
    }
    return next()
  }

  private mutating func next() -> Action {
    guard let address = waiting.popFirst() else {
      return dialling.isEmpty && connected <= 0 ? .giveUp : .wait
    }
    dialling.append(address)
    return .dial(address, timer: waiting.isEmpty ? patience : Self.headStart)
  }
}
