import CommandLine
import FleetEmulator
import WireGRPC
import WireProtobuf

extension Parse {
  /// Parses a fault in its short form, such as `UNAVAILABLE,method=GetTrip,for=20s`.
  static func fault(_ text: String) throws(InvalidValue) -> Fault {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    var fault = Fault()
    fault.effect = try effect(String(parts[0]))
    var keys: Set<String> = []
    for part in parts.dropFirst() {
      let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
      guard pair.count == 2 else {
        throw InvalidValue(
          "expected KEY=VALUE instead of '\(part)': the keys are method, resource, after, for and times"
        )
      }
      guard pair[0] == "method" || keys.insert(pair[0]).inserted else {
        throw InvalidValue("the key \(pair[0]) is repeated")
      }
      let value = pair[1]
      switch pair[0] {
      case "method": fault.methods.append(value)
      case "resource": fault.resource = value
      case "after": fault.start = WireDuration(try duration(value))
      case "for": fault.duration = WireDuration(try duration(value))
      case "times": fault.times = Int32(try count(1...Int(Int32.max))(value))
      default:
        throw InvalidValue(
          "unknown key '\(pair[0])': the keys are method, resource, after, for and times")
      }
    }
    try mapError(fault.check("fault")) { (error: EngineError) in
      InvalidValue(
        error.violations.map { "\(key(of: $0.field)) \($0.description)" }.joined(separator: "; "))
    }
    return fault
  }

  /// Returns the key for a field such as "fault.methods[0]".
  private static func key(of field: String) -> String {
    let name = String(field.dropFirst("fault.".count).prefix { $0 != "[" })
    return ["methods": "method", "start": "after", "duration": "for"][name] ?? name
  }

  private static func effect(_ text: String) throws(InvalidValue) -> Fault.Effect {
    let pair = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let value = pair.count == 2 ? String(pair[1]) : nil
    switch (pair[0], value) {
    case ("latency", let time?): return .latency(WireDuration(try duration(time)))
    case ("latency", nil):
      throw InvalidValue("the latency needs a duration, such as latency=2s")
    case ("quota", let calls):
      let calls = try calls.map { text throws(InvalidValue) in
        try count(0...Int(Int32.max))(text)
      }
      return .quota(Quota(callsPerMinute: Int32(calls ?? 0)))
    case ("silence", nil): return .silence(Empty())
    case ("disconnect", nil): return .disconnect(Empty())
    case ("stuck-location", nil): return .stuckLocation(Empty())
    case (let name, nil):
      for code in 1...16 where StatusCode(rawValue: code).description == name.uppercased() {
        return .status(RPCStatus(code: Int32(code), message: "failed on purpose"))
      }
    default: break
    }
    throw InvalidValue(
      "expected a status such as UNAVAILABLE, latency=TIME, quota, quota=CALLS, silence, disconnect or"
        + " stuck-location instead of '\(text)'")
  }
}
