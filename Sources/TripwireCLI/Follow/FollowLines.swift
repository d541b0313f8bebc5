import Tripwire

/// What programs are told of followed trips, an object a line:
///
///     {"time":…,"name":…,"changed":[…],"trip":{…}}
///     {"time":…,"name":…,"error":{…}}
///
/// with the whole trip as it is now, and the error as --error-format json has it. A trip that is stale
/// says so with `"stale":true`; one that does not, after an error, says that this has passed. Nothing
/// has changed in a line that says no more than one of that.
struct FollowLines {
  /// Of trips whose last answer cannot be written: why, and what has changed unsaid.
  private var unwritten: [String: (reason: String, changed: TripPropertyFields)] = [:]

  /// What no error shows.
  private let secrets: SentSecrets

  init(secrets: SentSecrets) {
    self.secrets = secrets
  }

  /// The lines of an update, and what is wrong with its trip if that cannot be written now: it is told
  /// once, and what changed meanwhile with the next trip that can.
  ///
  /// - Parameter report: of the failure, if that is to be told.
  mutating func lines(
    _ name: String, _ update: TripUpdate, _ report: ErrorReport?, at clock: WallClock
  ) -> (text: String, unwritable: ErrorReport?) {
    let start = "{\"time\":\"\(clock.utc)\",\"name\":\(quoted(name)),"
    var text = ""
    var unwritable: ErrorReport?
    let last = unwritten[name]
    let changed = update.changed.union(last?.changed ?? [])
    let hasRecovered = update.failureChanged && update.failure == nil
    if let trip = update.trip,
      last != nil || !changed.isEmpty || hasRecovered || update.stalenessChanged
    {
      do throws(JSONEncodingError) {
        let names = changed.names.map { "\"\($0)\"" }.joined(separator: ",")
        text += start + "\"changed\":[\(names)]," + (update.isStale ? "\"stale\":true," : "")
        text += "\"trip\":\(try trip.jsonString())}\n"
        unwritten[name] = nil
      } catch {
        let report = ErrorReport(unwritable: error, path: TripServiceMethods.getTrip.path)
        text = last?.reason == report.message ? "" : line(start, report)
        if !text.isEmpty { unwritable = report }
        unwritten[name] = (report.message, changed)
      }
    }
    if let report { text += line(start, report) }
    return (text, unwritable)
  }

  private func line(_ start: String, _ report: ErrorReport) -> String {
    start + "\"error\":\(secrets.json(of: report).dropLast())}\n"
  }
}
