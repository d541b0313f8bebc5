import WireGRPC
import WireProtobuf

/// The results of the calls of a load.
struct LoadReport: Sendable {
  struct Call: Sendable {
    var code: StatusCode
    var seconds: Double
    /// Whether the call exceeded its deadline by more than ``grace``.
    var isLate: Bool
    /// Whether the response belongs to this request.
    var isOurs: Bool
    var attempts: Int
    var error: String?
  }

  static let grace = Duration.seconds(1)

  var seconds = 0.0
  /// The number of connections that became ready.
  var connections = 0
  /// The number of times that the server made the channel slow down its pings.
  var slowings = 0
  private var calls = 0
  private var slowest = 0.0
  private var late = 0
  private var notOurs = 0
  private var attempts = 0
  private var retried = 0
  private var codes: [StatusCode: Int] = [:]
  /// The number of calls by error description.
  private var errors: [String: Int] = [:]

  mutating func add(_ call: Call) {
    calls += 1
    slowest = max(slowest, call.seconds)
    late += call.isLate ? 1 : 0
    notOurs += call.isOurs ? 0 : 1
    attempts += call.attempts
    retried += call.attempts > 1 ? 1 : 0
    codes[call.code, default: 0] += 1
    if let error = call.error { errors[error, default: 0] += 1 }
  }

  var json: String {
    get throws {
      func number(_ value: Int) -> Value { Value(kind: .numberValue(Double(value))) }
      func counts(_ counts: [String: Int]) -> Value {
        Value(kind: .structValue(Struct(fields: counts.mapValues(number))))
      }
      let named = Dictionary(uniqueKeysWithValues: codes.map { ($0.key.description, $0.value) })
      return try Struct(fields: [
        "calls": number(calls), "codes": counts(named), "errors": counts(errors),
        "connections": number(connections), "slowings": number(slowings),
        "attempts": number(attempts),
        "retried": number(retried), "late": number(late),
        "not_ours": number(notOurs), "slowest": Value(kind: .numberValue(slowest)),
        "seconds": Value(kind: .numberValue(seconds)),
      ]).jsonString()
    }
  }
}
