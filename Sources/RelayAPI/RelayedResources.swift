package import FleetEngineAPI
package import Tripwire
import WireSystem

/// A source of the resources for which a relay sends states, over any transport.
///
/// The caller passes the states with ``take(_:at:)``, one at a time for each resource. States that arrive
/// before a resource is followed are kept, the latest of each.
package final class RelayedResources: ResourceSource {
  /// Takes a state that was received at an instant.
  private typealias Report = @Sendable (ResourceState, ContinuousClock.Instant) -> Void

  private struct Entry {
    /// One for each service that follows the resource.
    var reports: [UInt64: Report] = [:]
    /// Whether it stays when the resource is not followed.
    var isKept = false
    var last: (state: ResourceState, received: ContinuousClock.Instant)?
  }

  private struct State {
    var entries: [String: Entry]
    var lastID: UInt64 = 0
  }

  private let state: Locked<State>
  private let willFollow: @Sendable (ResourceName) -> Void
  private let didStop: @Sendable (ResourceName) -> Void

  /// - Parameters:
  ///   - names: resources whose states may arrive before they are followed. Others are ignored then.
  ///   - willFollow: called when the first service begins to follow a resource.
  ///   - didStop: called when no service follows a resource any more.
  package init(
    _ names: [ResourceName] = [],
    willFollow: @escaping @Sendable (ResourceName) -> Void = { _ in },
    didStop: @escaping @Sendable (ResourceName) -> Void = { _ in }
  ) {
    state = Locked(
      State(
        entries: Dictionary(
          names.map { ($0.description, Entry(isKept: true)) }, uniquingKeysWith: { one, _ in one }))
    )
    self.willFollow = willFollow
    self.didStop = didStop
  }

  package func follow<Resource: FollowedResource>(
    _ name: ResourceName, report: @escaping @Sendable (ResourceReport<Resource>) -> Void
  ) -> @Sendable () -> Void {
    follow(name) { state, received in
      var current = ResourceReport<Resource>(state, received: received)
      current.age += .now - received
      report(current)
    }
  }

  private func follow(_ resourceName: ResourceName, _ report: @escaping Report)
    -> @Sendable () -> Void
  {
    let name = resourceName.description
    let (id, isFirst) = state.withLock { state in
      state.lastID += 1
      var entry = state.entries[name] ?? Entry()
      let isFirst = entry.reports.isEmpty
      entry.reports[state.lastID] = report
      state.entries[name] = entry
      // Under the lock, so that it precedes the reports of states that arrive meanwhile.
      if let (last, received) = entry.last { report(last, received) }
      return (state.lastID, isFirst)
    }
    if isFirst { willFollow(resourceName) }
    return { [self] in
      if remove(id, of: name) { didStop(resourceName) }
    }
  }

  /// Returns whether nobody follows the resource any more.
  private func remove(_ id: UInt64, of name: String) -> Bool {
    state.withLock { state in
      guard var entry = state.entries[name], entry.reports.removeValue(forKey: id) != nil else {
        return false
      }
      state.entries[name] = entry.reports.isEmpty && !entry.isKept ? nil : entry
      return entry.reports.isEmpty
    }
  }

  /// Passes on a state. One without a name is for all resources. The reader puts the states of a resource in order.
  package func take(_ new: ResourceState, at received: ContinuousClock.Instant = .now) {
    state.withLock { state in
      let names = new.name.isEmpty ? Array(state.entries.keys) : [new.name]
      for name in names {
        guard var entry = state.entries[name] else { continue }
        if new.resource != nil || entry.last?.state.resource == nil { entry.last = (new, received) }
        state.entries[name] = entry
        // Under the lock, in the order of the states. A report is only passed to a loop.
        for report in entry.reports.values { report(new, received) }
      }
    }
  }

  /// Whether a service follows the resource.
  package func isFollowed(_ name: ResourceName) -> Bool {
    state.withLock { $0.entries[name.description]?.reports.isEmpty == false }
  }

  /// The resources that a service follows.
  package var followed: [ResourceName] {
    state.withLock { state in
      state.entries.compactMap { $0.value.reports.isEmpty ? nil : try? ResourceName($0.key) }
    }
  }

  /// Whether all resources have reached their last status.
  package var areOver: Bool {
    state.withLock { state in
      state.entries.values.allSatisfy { $0.last?.state.isFinal == true }
    }
  }
}
