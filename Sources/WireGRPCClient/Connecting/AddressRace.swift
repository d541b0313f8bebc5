/// The order and timing of attempts to connect to the addresses of a host (RFC 8305, gRFC A61).
///
/// IPv6 and IPv4 addresses alternate. The next address is dialed when one fails, or when the
/// previous one has not connected within 250 ms. An address that connects stops the dials of the
/// others, but a hanging process may have accepted the connection. If it is not ready after one
/// second, the race continues in parallel. The first ready connection wins.
///
/// If all addresses were dialed and none answers, those that have not failed are dialed again after
/// 2 s, then after 4 s and so on, in parallel to the earlier dials. The client's own address may
/// have changed: packets sent from the old one are never answered, and sockets do not report this.
struct AddressRace<Address: Sendable & Equatable>: ~Copyable {
  enum Action {
    /// Dial, and call `timerFired` after this delay unless another action replaces it.
    case dial(Address, timer: Duration)
    /// Wait for the dials in progress.
    case wait
    /// All addresses failed.
    case giveUp
  }

  /// The Connection Attempt Delay of RFC 8305 §5.
  static var attemptDelay: Duration { .milliseconds(250) }
  /// How long a connected address may take to become ready before the next one is dialed.
  static var handshakeDelay: Duration { .seconds(1) }

  /// The addresses in the order of dialing.
  private let all: [Address]
  private var waiting: ArraySlice<Address>
  /// The addresses being dialed. One that is dialed again occurs several times.
  private var dialing: [Address] = []
  /// How long to wait for an answer before all addresses are dialed again.
  private var redialDelay = Duration.seconds(2)
  /// The number of addresses that are connected and not ready yet.
  private var connected = 0

  /// - Parameter family: returns the family of an address. The first address's family comes first.
  init<Family: Hashable>(_ addresses: [Address], family: (Address) -> Family) {
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

  mutating func start() -> Action { next() }

  /// The delay of the last action has passed.
  mutating func timerFired() -> Action {
    if waiting.isEmpty, connected <= 0 {
      redialDelay *= 2
      waiting = all.filter(dialing.contains)[...]
    }
    return next()
  }

  /// A dialed address is connected. The caller must abandon the other dials; their addresses come
  /// first if the race continues. Returns the delay after which to call `timerFired`, or nil.
  mutating func connected(_ address: Address) -> Duration? {
    dialing.removeAll { $0 == address }
    connected += 1
    waiting = all.filter { $0 != address && (dialing.contains($0) || waiting.contains($0)) }[...]
    dialing = []
    return waiting.isEmpty ? nil : Self.handshakeDelay
  }

  /// A dialed or connected address failed.
  mutating func failed(_ address: Address) -> Action {
    if let index = dialing.firstIndex(of: address) {
      dialing.remove(at: index)
    } else {
      connected -= 1
    }
    return next()
  }

  private mutating func next() -> Action {
    guard let address = waiting.popFirst() else {
      return dialing.isEmpty && connected <= 0 ? .giveUp : .wait
    }
    dialing.append(address)
    return .dial(address, timer: waiting.isEmpty ? redialDelay : Self.attemptDelay)
  }
}
