/// The resources of a kind by their IDs, which notes the changes.
struct ResourceTable<Resource: Sendable & Equatable>: Sendable, Equatable {
  private(set) var resources: [String: Resource] = [:]
  /// The resources as they were before the changes; nil for those that did not exist.
  private var old: [String: Resource?] = [:]

  subscript(id: String) -> Resource? {
    get { resources[id] }
    _modify {
      if old.index(forKey: id) == nil { old.updateValue(resources[id], forKey: id) }
      yield &resources[id]
    }
  }

  /// Returns the resources that have changed since the last time, as they were.
  mutating func takeOld() -> [String: Resource?] {
    guard !old.isEmpty else { return [:] }
    defer { old = [:] }
    return old.filter { id, resource in resources[id] != resource }
  }
}
