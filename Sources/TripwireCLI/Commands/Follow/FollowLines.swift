import Tripwire
import WireGRPC

/// What `tripwire follow` writes for programs, one object a line:
///
///     {"time":…,"name":…,"changed":[…],"trip":{…}}
///     {"time":…,"name":…,"error":{…}}
///
/// `trip` is the whole trip as it is now, and `error` is as --error-format json writes it. `changed`
/// has the names of the fields of `trip` that differ from the line before with that trip, so a field
/// that is gone is in `changed` and not in `trip`. A stale trip has `"stale":true`. A trip without that
/// after an error says that the error is over; where nothing else is new, `changed` is empty.
struct FollowLines {
  /// The trip of the last line, by name.
  private var written: [String: Trip] = [:]
  /// Why the last answer cannot be written, by the name of the trip.
  private var flaws: [String: String] = [:]

  private let redactor: CredentialRedactor

  init(redactor: CredentialRedactor) {
    self.redactor = redactor
  }

  /// Returns the lines of an update, and the error if its trip cannot be written as JSON. That error is
  /// reported once.
  ///
  /// - Parameter report: of the failure, if that is to be reported.
  mutating func lines(
    _ name: String, _ update: TripUpdate, _ report: ErrorReport?, at clock: WallClock
  ) -> (text: String, unwritable: ErrorReport?) {
    let start = "{\"time\":\"\(clock.utc)\",\"name\":\(quoted(name)),"
    var text = ""
    var unwritable: ErrorReport?
    let hasRecovered = update.failureChanged && update.failure == nil
    if let trip = update.trip,
      flaws[name] != nil || !update.changed.isEmpty || hasRecovered || update.stalenessChanged
    {
      do throws(JSONEncodingError) {
        let json = try trip.jsonString()
        let changed = ChangedFields.names(from: written[name] ?? Trip(), to: trip)
        text += start + "\"changed\":[\(changed.map { "\"\($0)\"" }.joined(separator: ","))],"
        text += (update.isStale ? "\"stale\":true," : "") + "\"trip\":\(json)}\n"
        written[name] = trip
        flaws[name] = nil
      } catch {
        let report = ErrorReport(unwritable: error, path: TripServiceMethods.getTrip.path)
        if flaws[name] != report.message {
          text = line(start, report)
          unwritable = report
        }
        flaws[name] = report.message
      }
    }
    if let report { text += line(start, report) }
    return (text, unwritable)
  }

  private func line(_ start: String, _ report: ErrorReport) -> String {
    start + "\"error\":\(redactor.json(of: report).dropLast())}\n"
  }
}
