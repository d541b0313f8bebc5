import WireHTTP2
import WireIO

/// A call on the loop, from the inbox to its outcome. Not Sendable.
final class Call {
  let request: CallRequest
  /// The machine of the present attempt.
  private var machine: CallStateMachine
  private(set) var isOver = false
  /// How often it was sent.
  private(set) var attempts = 0
  /// What the server never acted on is sent again, once (gRFC A6, transparent retries).
  private var mayBeSentAgain = true
  /// Where it is now; nil while it is queued.
  var place: (connection: Connection, stream: StreamID)?
  var timer: LoopTimer?

  private let deliveries: Deliveries

  init(_ request: CallRequest, deliveries: Deliveries) {
    self.request = request
    self.deliveries = deliveries
    machine = Self.machine(for: request)
  }

  private static func machine(for request: CallRequest) -> CallStateMachine {
    CallStateMachine(
      maxReceiveMessageSize: request.maxReceiveMessageSize, deadline: request.deadline)
  }

  func wasSent() {
    attempts += 1
  }

  /// Whether the call may go to another connection; if not the error it ends with instead.
  func moveElsewhere(_ reason: String) -> CallError? {
    place = nil
    guard mayBeSentAgain else { return .transport(.unavailable, "\(reason), twice") }
    mayBeSentAgain = false
    machine = Self.machine(for: request)
    return nil
  }

  func withMachine<Result>(_ body: (inout CallStateMachine) -> Result) -> Result {
    body(&machine)
  }

  /// Hands the outcome to the caller, once.
  func finish(_ result: Result<CallStateMachine.Answer, CallError>) {
    guard !isOver else { return }
    isOver = true
    place = nil
    timer?.cancel()
    timer = nil
    deliveries.deliver(CallOutcome(result: result, attempts: attempts), to: request)
  }
}
