/// What a caller hands to the loop: all it takes to send one call, and where the outcome goes.
struct CallRequest: Sendable {
  /// Counts the calls of a channel from 1.
  var id: UInt64
  var path: String
  /// The message in its frame.
  var body: [UInt8]
  var metadata: Metadata
  var start: ContinuousClock.Instant
  var timeout: Duration?
  var maxReceiveMessageSize: Int
  var waitForReady: Bool
  /// Whether the caller's task runs on the channel's loop.
  var isFromLoop: Bool
  var waiter: Waiter<CallOutcome>

  var deadline: ContinuousClock.Instant? { timeout.map { start + $0 } }
}

/// How a call ended.
package struct CallOutcome: Sendable {
  package var result: Result<CallStateMachine.Answer, CallError>
  /// How many times the call was sent.
  package var attempts: Int
}
