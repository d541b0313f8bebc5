import CommandShell
import RecordingAnalysis
import Tripwire

/// The resource that an option names.
struct SelectedResource: Sendable {
  /// "--trip".
  let option: String
  /// The value of the option, as given.
  let text: String
  let resource: ResourceSelector

  /// The option and its value, safe for a terminal.
  var label: String { "\(option) \(shortened(text))" }

  /// The error if no call is about the resource.
  func missing(in timeline: ResourceTimeline) -> ErrorReport {
    let others = timeline.otherNames
    if others.isEmpty, timeline.hasTruncatedMessage { return .truncatedMessages(label) }
    return ErrorReport(
      local: "\(label): not in the recording, which contains"
        + " \(nameList(others, of: resource.isOfAnyKind ? "resources" : "trips"))",
      hint: suggestion(among: others)
        ?? (others.isEmpty
          ? resource.isOfAnyKind
            ? "pass a recording with calls of Fleet Engine"
            : "pass a recording with calls of GetTrip"
          : resource.isOfAnyKind
            ? "pass a resource of the recording with --timeline"
            : isOfOtherKind
              ? "use --timeline for a resource that is not a trip"
              : "pass a trip of the recording with --trip"))
  }

  /// - Throws: a report if several resources, of different providers, have the ID.
  func checkIsOne(in timeline: ResourceTimeline) throws(ErrorReport) {
    let names = Set(timeline.resources.map(\.name)).sorted()
    guard let first = names.first, names.count > 1 else { return }
    throw ErrorReport(
      local: "\(label): several resources have this ID: \(nameList(names, of: "resources"))",
      hint: "pass \(option) \(shortened(first, to: 1_000))")
  }

  /// Names a resource with the same ID: of another kind, or with letters of another case.
  private func suggestion(among names: [String]) -> String? {
    func id(_ name: String) -> String? { name.split(separator: "/").last?.lowercased() }
    guard let name = names.first(where: { id($0) == id(text) }) else { return nil }
    return "pass \(option) \(shortened(name, to: 1_000))"
  }

  /// Whether the option names a resource that is not a trip.
  private var isOfOtherKind: Bool {
    ResourceKind.allCases.contains { $0 != .trip && label.mentions($0.rawValue + "/") }
  }
}
