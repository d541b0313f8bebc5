@testable import CommandShell
@testable import RecordingAnalysis

/// Google's logs, written by hand.
enum ExampleLog {
  static func read(_ text: String) throws -> CloudLog {
    var log = CloudLog(MessageTypes(pool: try EmbeddedSchema.pool([])))
    try log.add(Array(text.utf8))
    try log.end()
    return log
  }

  /// - Parameters:
  ///   - payload: members of `jsonPayload`.
  ///   - time: in seconds, 0 to 59.
  static func entry(
    _ method: String, _ payload: String, time: Int = 0, id: String = "", suffix: String = "Log",
    labels: String = "{}"
  ) -> String {
    """
    {"insertId":"\(id)","jsonPayload":{"@type":"type.googleapis.com/maps.fleetengine.v1.\(method)\(suffix)",\
    \(payload)},"labels":\(labels),\
    "logName":"projects/p/logs/fleetengine.googleapis.com%2Fx","timestamp":"2026-11-21T09:30:\(time < 10 ? "0" : "")\(time)Z"}
    """
  }
}
