import Testing

@testable import WireGRPC
@testable import WireHTTP2

/// The expected end of an attempt whose state machine receives these inputs.
struct CallRule: Sendable, CustomTestStringConvertible {
  var name: String
  var inputs: [CallInput]
  var code: StatusCode
  var messagePart: String
  var reset: HTTP2ErrorCode?
  var origin: CallError.Origin

  init(
    _ name: String, _ inputs: [CallInput], _ code: StatusCode, _ messagePart: String = "",
    reset: HTTP2ErrorCode? = nil, origin: CallError.Origin = .transport
  ) {
    self.name = name
    self.inputs = inputs
    self.code = code
    self.messagePart = messagePart
    self.reset = reset
    self.origin = origin
  }
  var testDescription: String { name }
}

extension CallRule {
  static let all = statuses + responses + ends
}
