import RecordingAnalysis
import Tripwire
import WireGRPC

/// The output of `tripwire follow` for programs, one object a line:
///
///     {"time":…,"name":…,"changed":[…],"trip":{…}}
///     {"time":…,"name":…,"error":{…}}
///
/// `trip` is the whole trip, and `error` is the object of --error-format json. `changed` has the names of
/// the fields that differ from the last line of that trip; a field that was cleared is in `changed` and not
/// in `trip`. A stale trip has `"stale":true`. A line with `trip` after an error reports the recovery; its
/// `changed` may be empty.
struct FollowLines {
  /// The trips of the last lines, by name.
  private var written: [String: Trip] = [:]
  /// Why the last response cannot be written, by the name of the trip.
  private var flaws: [String: String] = [:]

  /// Masks credentials in errors.
  private let redactor: CredentialRedactor
  /// Nil writes all fields.
  private let fields: AnswerFields?

  init(redactor: CredentialRedactor, fields: AnswerFields?) {
    self.redactor = redactor
    self.fields = fields
  }

  /// Returns the lines of an update, and an error if its trip cannot be written as JSON. That error is
  /// reported once.
  ///
  /// - Parameter report: the failure, if it must be reported.
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
        let json = try fields.json(trip)
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
