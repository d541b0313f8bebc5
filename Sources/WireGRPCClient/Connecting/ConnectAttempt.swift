import WireGRPC
import WireIO
import WireTransport

/// One attempt to establish a connection over all addresses of the target.
///
/// Runs on the loop. ``AddressRace`` sets order and timing.
final class ConnectAttempt {
  private let context: ConnectionContext
  private let deadline: ContinuousClock.Instant
  private let finish: (Result<Connection, ConnectionFailure>) -> Void
  private var race: AddressRace<SocketAddress>
  private var connections: [Connection] = []
  private var failures: [(address: SocketAddress, failure: ConnectionFailure)] = []
  private var timer: LoopTimer?
  private var isOver = false

  /// - Parameter finish: called once, unless the attempt is canceled first.
  init(
    addresses: [SocketAddress], context: ConnectionContext, deadline: ContinuousClock.Instant,
    finish: @escaping (Result<Connection, ConnectionFailure>) -> Void
  ) {
    self.context = context
    self.deadline = deadline
    self.finish = finish
    race = AddressRace(addresses) { $0.family }
  }

  func start() {
    perform(race.start())
  }

  func cancel() {
    isOver = true
    abandon { _ in true }
  }

  var progress: String {
    connections.last?.progress ?? failures.last?.failure.detail
      ?? "no connection attempt was started"
  }

  private func perform(_ action: AddressRace<SocketAddress>.Action) {
    guard !isOver else { return }
    switch action {
    case .wait:
      break
    case .giveUp:
      isOver = true
      finish(.failure(mostSpecificFailure()))
    case .dial(let address, let delay):
      setTimer(after: delay)
      dial(address)
    }
  }

  private func setTimer(after delay: Duration?) {
    timer?.cancel()
    timer = delay.map { delay in
      context.loop.schedule(after: delay) { [weak self] in
        guard let self else { return }
        perform(race.timerFired())
      }
    }
  }

  private func dial(_ address: SocketAddress) {
    do throws(ConnectionFailure) {
      let connection = try Connection(to: address, context: context, deadline: deadline) {
        [weak self] connection, event in
        self?.handle(event, of: connection)
      }
      connections.append(connection)
    } catch {
      failed(address, error)
    }
  }

  private func handle(_ event: Connection.Event, of connection: Connection) {
    guard !isOver else { return }
    switch event {
    case .reached(.connected):
      abandon { $0 !== connection && $0.isDialing }
      setTimer(after: race.connected(connection.address))
    case .ready:
      isOver = true
      abandon { $0 !== connection }
      finish(.success(connection))
    case .closed(let failure):
      connections.removeAll { $0 === connection }
      failed(
        connection.address,
        failure
          ?? context.failure(.closed, at: connection.address, "the server closed the connection"))
    case .reached, .hasRoom, .draining, .pingedTooOften, .callEnded, .attemptFailed,
      .callsUnprocessed:
      break
    }
  }

  private func failed(_ address: SocketAddress, _ failure: ConnectionFailure) {
    failures.append((address, failure))
    context.metrics?(.connectionFailed(address: address.description, failure))
    context.trace?.report(.connectFailed(address: address.description, reason: failure.detail))
    perform(race.failed(address))
  }

  private func abandon(where isUnneeded: (Connection) -> Bool) {
    setTimer(after: nil)
    let unneeded = connections.filter(isUnneeded)
    connections.removeAll(where: isUnneeded)
    for connection in unneeded {
      connection.handler = { _, _ in }
      connection.abort(.transport(.unavailable, "another address connected first"))
    }
  }

  /// Returns the failure of the first address whose peer answered, or else that of the first
  /// address, with the failures of the others appended.
  private func mostSpecificFailure() -> ConnectionFailure {
    let chosen = failures.first { $0.failure.reason.fault != .network } ?? failures.first
    guard let chosen else {
      return ConnectionFailure(
        reason: .nameNotResolved, peer: context.peer(), detail: "the name has no address")
    }
    var failure = chosen.failure
    for other in failures where other.address != chosen.address {
      failure.detail += "; \(other.address): "
      failure.detail +=
        other.failure.detail == chosen.failure.detail ? "same failure" : other.failure.detail
    }
    return failure
  }
}
