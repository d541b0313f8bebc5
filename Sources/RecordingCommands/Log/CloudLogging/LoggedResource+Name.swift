import CloudLogging
import CommandLine
import CommandShell
import FleetEngineAPI

extension LoggedResource {
  /// Parses the resource that an option names.
  ///
  /// - Parameters:
  ///   - text: a whole name, "trips/t1", or an ID.
  ///   - option: the option that has the text.
  ///   - kind: the kind of an ID; nil for any.
  init(
    _ text: String, of option: String, in project: String, isOf kind: ResourceKind?
  ) throws(UsageError) {
    func error(_ problem: String, hint: String) -> UsageError {
      UsageError(
        message: "\(option) \(escaped(text)): \(problem)", options: [String(option.dropFirst(2))],
        hint: hint)
    }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let named = parts.count > 1 ? ResourceKind(rawValue: parts[parts.count - 2]) : kind
    let isWhole = parts.count == 4 && parts[0] == "providers"
    guard let id = parts.last, !id.isEmpty, parts.count < 3 || isWhole,
      parts.count == 1 || named != nil
    else {
      throw error("not the name of a resource", hint: "pass a name such as trips/TRIP, or an ID")
    }
    guard !isWhole || parts[1] == project else {
      throw error(
        "not in the project of --cloud-logging, \(project)",
        hint: "pass --cloud-logging \(shellWord(parts[1])), or a name of this project")
    }
    guard let resource = LoggedResource(named, id: id) else {
      throw error(
        "Fleet Engine does not label its log entries with tracking IDs",
        hint: "pass the task, as tasks/TASK")
    }
    self = resource
  }
}
