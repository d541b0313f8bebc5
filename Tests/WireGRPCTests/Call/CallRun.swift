import TestSupport
import Testing

@testable import WireGRPC
@testable import WireHTTP2

/// An input of the state machine.
enum CallInput: Sendable {
  case headers([HeaderField], endStream: Bool = false)
  case data([UInt8], endStream: Bool = false)
  case trailers([HeaderField])
  case closed(StreamClosure)
  case lost
  case cancel
  case expire
  /// Sets the time, in seconds since the start of the call.
  case time(Int)
}

/// The end of an attempt.
struct CallEnd: CustomStringConvertible {
  var headers: [Metadata] = []
  var messages: [MessageDeframer.Message] = []
  var result: Result<Metadata, CallError>?
  var reset: HTTP2ErrorCode?
  var retry: String?
  /// The number of inputs until the end.
  var inputs: Int

  var code: StatusCode? {
    switch result {
    case .success: .ok
    case .failure(let error): error.code
    case nil: nil
    }
  }
  var error: CallError? {
    if case .failure(let error) = result { error } else { nil }
  }
  var trailers: Metadata? { try? result?.get() }
  var description: String { "\(result as Any), reset \(reset as Any), retry \(retry as Any)" }
}

/// Passes the inputs to a state machine with a deadline of 10 seconds. Inputs after the end must
/// have no effect.
func run(_ inputs: [CallInput], limit: Int = 100, expectsOneMessage: Bool = true) -> CallEnd {
  let start = ContinuousClock.now
  var now = start
  var machine = CallStateMachine(
    expectsOneMessage: expectsOneMessage, maxReceiveMessageSize: limit,
    deadline: start.advanced(by: .seconds(10)))
  var end = CallEnd(inputs: 0)
  var isOver = false
  for (index, input) in inputs.enumerated() {
    let action: CallStateMachine.Action
    let known = end.messages.count
    switch input {
    case .headers(let fields, let endStream):
      action = machine.receiveHeaders(ResponseHead(fields), endStream: endStream, now: now)
    case .data(let bytes, let endStream):
      action = machine.receiveData(bytes[...], endStream: endStream, into: &end.messages)
    case .trailers(let fields):
      action = machine.receiveTrailers(ResponseStatus(fields), now: now)
    case .closed(let closure):
      action = machine.streamClosed(closure, now: now)
    case .lost:
      action = machine.connectionLost(
        CallError(code: .unavailable, message: "lost", origin: .transport))
    case .cancel:
      action = machine.cancel(now: now)
    case .expire:
      action = machine.expire()
    case .time(let seconds):
      now = start.advanced(by: .seconds(seconds))
      continue
    }
    #expect(!isOver || end.messages.count == known, "a message after the end")
    switch action {
    case .wait, .limit:
      #expect(!isOver, "an action after the end")
      continue
    case .ignore:
      #expect(isOver, "an ignored event before the end")
      continue
    case .begin(let headers):
      #expect(!isOver, "headers after the end")
      end.headers.append(headers)
      continue
    case .succeed(let trailers):
      #expect(!isOver, "a second end")
      end.result = .success(trailers)
    case .fail(let error, let reset):
      #expect(!isOver, "a second end")
      (end.result, end.reset) = (.failure(error), reset)
    case .retryTransparently(let reason, _):
      #expect(!isOver, "a second end")
      end.retry = reason
    }
    isOver = true
    end.inputs = index + 1
  }
  if !isOver { end.inputs = inputs.count }
  return end
}

let good = CallInput.headers(fields([":status": "200", "content-type": "application/grpc"]))
let message = CallInput.data([0, 0, 0, 0, 2, 7, 8])
let ok = CallInput.trailers(fields(["grpc-status": "0"]))
