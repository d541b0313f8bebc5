/// The findings of all checks in a recording.
package struct RecordingFindings {
  /// How many findings of a check are kept. More cannot be read in a list.
  static let limit = 1_000

  package struct List {
    package let check: RecordingCheck
    package fileprivate(set) var findings: [(resource: ResourceTimeline.Key, Finding)] = []
    /// How many more there are.
    package fileprivate(set) var omitted = 0
  }

  /// One list for each check, in the order in which the findings end.
  package private(set) var lists = RecordingCheck.allCases.map { List(check: $0) }

  package init() {}

  package mutating func add(_ item: ResourceTimeline.Item) {
    guard case .check(let finding) = item.event,
      let index = lists.firstIndex(where: { $0.check == finding.check })
    else { return }
    if lists[index].findings.count < Self.limit {
      lists[index].findings.append((item.resource, finding))
    } else {
      lists[index].omitted += 1
    }
  }
}
