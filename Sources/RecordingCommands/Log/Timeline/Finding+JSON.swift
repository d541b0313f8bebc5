import CommandShell
import RecordingAnalysis
import Tripwire
import WireProtobuf

extension RecordingCheck.Finding {
  /// Adds the check, the end, the text and the values of the finding.
  func addMembers(to object: inout JSONObject) {
    object.add("check", "\"\(check.rawValue)\"")
    object.add("until", until.jsonText)
    object.add("text", quoted(text))
    switch detail {
    case .gap, .stale: object.add("seconds", duration.jsonSeconds)
    case .jump(let meters, let seconds):
      object.add("meters", Units.fixed(meters, decimals: 0))
      object.add("seconds", Duration.seconds(seconds).jsonSeconds)
    case .backwards(_, let step): object.add("seconds", step.jsonSeconds)
    case .dwell(let place):
      object.add("seconds", duration.jsonSeconds)
      object.add("latitude", Units.fixed(place.latitude, decimals: 6))
      object.add("longitude", Units.fixed(place.longitude, decimals: 6))
    case .arrival(let arrival):
      object.add("arrival", arrival.time.jsonText)
      object.add("firstEta", arrival.first.jsonText)
      object.add("lastEta", arrival.last.jsonText)
      object.add("seconds", arrival.delay.jsonSeconds)
    case .clock(_, let largest): object.add("seconds", largest.jsonSeconds)
    case .inaccurate(let worst, _):
      object.add("meters", Units.fixed(worst, decimals: 0))
      object.add("seconds", duration.jsonSeconds)
    case .route(let meters, _, _): object.add("meters", Units.fixed(meters, decimals: 0))
    case .errors(let count, let code, _, _):
      object.add("code", quoted(code.description))
      object.add("errors", String(count))
      object.add("seconds", duration.jsonSeconds)
    case .otherCall(_, let code, _, _): object.add("code", quoted(code.description))
    case .sensor: break
    }
  }
}

extension TimelineEvent {
  /// When a finding began, or `time` for other events.
  func start(or time: Timestamp?) -> Timestamp? {
    if case .check(let finding) = self { finding.time } else { time }
  }
}
