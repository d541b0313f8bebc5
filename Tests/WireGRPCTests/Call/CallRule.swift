import Testing
import WireGRPC
import WireHTTP2

/// What a call comes to whose machine is told these inputs.
struct CallRule: Sendable, CustomTestStringConvertible {
  var name: String
  var inputs: [CallInput]
  var code: StatusCode
  var says: String
  var reset: HTTP2ErrorCode?
  var origin: CallError.Origin

  init(
    _ name: String, _ inputs: [CallInput], _ code: StatusCode, _ says: String = "",
    reset: HTTP2ErrorCode? = nil, origin: CallError.Origin = .transport
  ) {
    self.name = name
    self.inputs = inputs
    self.code = code
    self.says = says
    self.reset = reset
    self.origin = origin
  }
  var testDescription: String { name }
}

extension CallRule {
  static let all = statuses + answers + ends
}
