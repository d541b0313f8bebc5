import WireGRPC
import WireHTTP2
import WireIO
import WireTransport

/// One HTTP/2 connection and the calls on it. Lives on the loop, owned by a ``Dispatcher``, to which it
/// reports through one closure.
///
/// ``ConnectionStateMachine`` and the ``CallStateMachine`` of each call decide; this class carries out
/// their actions.
final class Connection {
  enum Event {
    /// The socket is connected: other attempts can be given up.
    case connected
    case ready
    /// There may be room for more calls.
    case hasRoom
    /// It accepts no more calls.
    case draining
    /// The peer sent GOAWAY because of too many pings.
    case pingedTooOften
    /// The call ended with OK.
    case callEnded(Call)
    /// The call, or this attempt of it, failed.
    indirect case attemptFailed(Call, CallError)
    /// The peer did not process these calls, oldest first; they need another connection.
    case callsUnprocessed([Call])
    /// The last event. With a failure, it never became ready.
    indirect case closed(ConnectionFailure?)
  }

  struct Timers {
    var connect: LoopTimer?
    var idle: LoopTimer?
    var pause: LoopTimer?
    var keepalive: LoopTimer?

    func cancel() {
      for timer in [connect, idle, pause, keepalive] { timer?.cancel() }
    }
  }

  /// The events for the dispatcher that a batch caused, reported after the batch.
  struct PendingEvents {
    var unprocessed: [Call] = []
    /// Whether there may be room that the dispatcher does not know of.
    var hasRoom = false
  }

  let address: SocketAddress
  /// The address as text, cached because observers get it with every call.
  private(set) lazy var peer = address.description
  let context: ConnectionContext
  let session: HTTP2ClientSession
  let started = ContinuousClock.now
  var handler: (Connection, Event) -> Void
  /// Nil once the connection has ended.
  var stream: (any ByteStream)?
  var machine = ConnectionStateMachine()
  var keepalive: KeepaliveStateMachine?
  var timers = Timers()
  var streams = ConnectionStreams()
  var refusedStreams = RefusedStreams()
  var pendingEvents = PendingEvents()
  // Storage and values that the next call reuses.
  var messageBuffer: [MessageDeframer.Message] = []
  var requestHeaders = RequestHeaders.Buffer()
  var headMemo = HeaderMemo(ResponseHead.init)
  var statusMemo = HeaderMemo(ResponseStatus.init)
  var hasReceivedBytes = false
  /// The peer's last GOAWAY (`GOAWAY NO_ERROR "max_age"`); without one, after the end, the reason for
  /// the end.
  var goAwayReason: String?
  private var isFlushScheduled = false

  /// Starts to connect.
  ///
  /// - Throws: failures that need no I/O, such as an invalid configuration.
  init(
    to address: SocketAddress, context: ConnectionContext, deadline: ContinuousClock.Instant,
    handler: @escaping (Connection, Event) -> Void
  ) throws(ConnectionFailure) {
    self.address = address
    self.context = context
    self.handler = handler
    do throws(HTTP2Error) {
      session = try HTTP2ClientSession(configuration: context.http2)
    } catch {
      throw context.failure(.configuration, at: address, "HTTP/2 cannot be set up: \(error)")
    }
    context.trace(.connecting(address: address.description))
    stream = try context.dial(address)
    stream?.user = self
    timers.connect = context.loop.schedule(at: deadline) { [self] in
      perform(machine.connectTimerFired())
    }
  }

  var usesTLS: Bool { context.tls != nil }

  /// Whether it accepts another call now. A GOAWAY or a lower limit that the session has received
  /// counts before its event is taken.
  var hasCapacity: Bool { machine.capacity > 0 && session.canSubmit }

  /// Whether another connection would help calls for which this one has no stream.
  var isFull: Bool { machine.isFull }

  /// Whether not even the socket is connected.
  var isDialing: Bool { machine.phase == .connecting }

  /// Whether another connection like this one may be opened at once.
  var wasUseful: Bool { streams.lastAnswered > 0 || session.hasUsedUpStreamIDs }

  /// Describes the pending step before the connection is ready.
  var progress: String {
    switch machine.phase {
    case .connecting: "\(address) did not respond"
    case .tunneling where context.proxy?.usesTLS == true:
      "the proxy \(address) did not finish the TLS handshake, or did not connect to the server"
    case .tunneling: "the proxy \(address) did not connect to the server"
    case .securing: "\(address) did not finish the TLS handshake"
    default: "\(address) sent no HTTP/2 SETTINGS"
    }
  }

  /// Schedules one write at the end of this round of the loop.
  func scheduleFlush() {
    guard !isFlushScheduled, stream != nil else { return }
    isFlushScheduled = true
    context.loop.atEndOfRound { [self] in
      stream?.flush()
      isFlushScheduled = false
      processEvents()
    }
  }
}
