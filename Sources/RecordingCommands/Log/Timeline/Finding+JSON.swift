import CommandShell
import RecordingAnalysis
import Tripwire

extension RecordingCheck.Finding {
  /// Adds the check, the end, the text and the values of the finding.
  func addMembers(to json: inout JSONWriter) {
    json.member("check", check.rawValue)
    json.member("until", json: until.jsonText)
    json.member("text", text)
    switch detail {
    case .gap, .stale: json.member("seconds", json: duration.jsonSeconds)
    case .jump(let meters, let seconds):
      json.member("meters", json: Units.fixed(meters, decimals: 0))
      json.member("seconds", json: Duration.seconds(seconds).jsonSeconds)
    case .backwards(_, let step): json.member("seconds", json: step.jsonSeconds)
    case .dwell(let place):
      json.member("seconds", json: duration.jsonSeconds)
      json.member("latitude", json: Units.fixed(place.latitude, decimals: 6))
      json.member("longitude", json: Units.fixed(place.longitude, decimals: 6))
    case .arrival(let arrival):
      json.member("arrival", json: arrival.time.jsonText)
      json.member("firstEta", json: arrival.first.jsonText)
      json.member("lastEta", json: arrival.last.jsonText)
      json.member("seconds", json: arrival.delay.jsonSeconds)
    case .clock(_, let largest): json.member("seconds", json: largest.jsonSeconds)
    case .inaccurate(let worst, _):
      json.member("meters", json: Units.fixed(worst, decimals: 0))
      json.member("seconds", json: duration.jsonSeconds)
    case .route(let meters, _, _): json.member("meters", json: Units.fixed(meters, decimals: 0))
    case .errors(let count, let code, _, _):
      json.member("code", code.description)
      json.member("errors", count)
      json.member("seconds", json: duration.jsonSeconds)
    case .otherCall(_, let code, _, _): json.member("code", code.description)
    case .sensor: break
    }
  }
}
