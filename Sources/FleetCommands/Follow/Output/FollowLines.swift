import CommandCalls
import CommandShell
import Tripwire

/// The output of `tripwire follow` for programs, one object a line:
///
///     {"time":…,"name":…,"changed":[…],"trip":{…}}
///     {"time":…,"name":…,"error":{…}}
///
/// `trip` is the whole trip, and `error` is the object of --error-format json. `changed` has the names of
/// the fields that differ from the last line of that trip; a field that was cleared is in `changed` and not
/// in `trip`. A stale trip has `"stale":true`. A line with `trip` and without `stale` after an error reports
/// the recovery; its `changed` may be empty. Other resources have their own keys, such as `vehicle`.
struct FollowLines {
  /// The resources of the last lines, by name.
  private var written: [String: FleetResource] = [:]
  /// Why the last response cannot be written, by the name of the resource.
  private var flaws: [String: String] = [:]

  private let redactor: CredentialRedactor
  /// The written fields of each kind; all fields of other kinds are written.
  private let fields: [ResourceKind: ResponseFields]

  init(redactor: CredentialRedactor, fields: [ResourceKind: ResponseFields]) {
    self.redactor = redactor
    self.fields = fields
  }

  /// Returns the lines of an update, and an error if its resource cannot be written as JSON. That error is
  /// reported once.
  ///
  /// - Parameter report: the failure, if it must be reported.
  mutating func lines(
    _ name: String, _ kind: ResourceKind, _ update: FollowUpdate, _ report: ErrorReport?,
    at clock: WallClock
  ) -> (text: String, unwritable: ErrorReport?) {
    func line(_ members: (inout JSONWriter) -> Void) -> String {
      JSONWriter.object { json in
        json.member("time", clock.utc)
        json.member("name", name)
        members(&json)
      } + "\n"
    }
    func line(_ report: ErrorReport) -> String {
      line { $0.member("error", json: String(redactor.json(of: report).dropLast())) }
    }
    var text = ""
    var unwritable: ErrorReport?
    let hasRecovered = update.failureChanged && update.failure == nil
    if let resource = update.resource,
      flaws[name] != nil || update.hasChanges || hasRecovered || update.stalenessChanged
    {
      do throws(JSONEncodingError) {
        let message = try fields[kind].json(resource.message)
        text += line { json in
          json.member("changed", resource.changedFields(since: written[name]))
          if update.isStale { json.member("stale", true) }
          json.member(kind.jsonKey, json: message)
        }
        written[name] = resource
        flaws[name] = nil
      } catch {
        let report = ErrorReport(unwritable: error, path: kind.getPath)
        if flaws[name] != report.message {
          text = line(report)
          unwritable = report
        }
        flaws[name] = report.message
      }
    }
    if let report { text += line(report) }
    return (text, unwritable)
  }
}
