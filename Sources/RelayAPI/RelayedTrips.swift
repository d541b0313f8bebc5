package import FleetEngineAPI
package import Tripwire
import WireGRPC
import WireSystem

/// A source of trips for which a relay sends states, over any transport.
///
/// The caller passes the states with ``take(_:at:)``, one at a time for each trip. States that arrive
/// before a trip is followed are kept, the latest of each.
package final class RelayedTrips: TripSource {
  private struct Entry {
    /// One for each service that follows the trip.
    var reports: [UInt64: @Sendable (TripReport) -> Void] = [:]
    /// Whether it stays when the trip is not followed.
    var isKept = false
    var last: (state: TripState, received: ContinuousClock.Instant)?
    var position = StreamPosition()
  }

  private struct State {
    var entries: [String: Entry]
    var lastID: UInt64 = 0
  }

  private let state: Locked<State>
  private let willFollow: @Sendable (TripName) -> Void
  private let didStop: @Sendable (TripName) -> Void

  /// - Parameters:
  ///   - names: trips whose states may arrive before they are followed. Others are ignored then.
  ///   - willFollow: called when the first service begins to follow a trip.
  ///   - didStop: called when no service follows a trip any more.
  package init(
    _ names: [TripName] = [], willFollow: @escaping @Sendable (TripName) -> Void = { _ in },
    didStop: @escaping @Sendable (TripName) -> Void = { _ in }
  ) {
    state = Locked(
      State(
        entries: Dictionary(
          names.map { ($0.description, Entry(isKept: true)) }, uniquingKeysWith: { one, _ in one }))
    )
    self.willFollow = willFollow
    self.didStop = didStop
  }

  package func follow(
    _ tripName: TripName, report: @escaping @Sendable (TripReport) -> Void
  ) -> @Sendable () -> Void {
    let name = tripName.description
    let (id, isFirst) = state.withLock { state in
      state.lastID += 1
      var entry = state.entries[name] ?? Entry()
      let isFirst = entry.reports.isEmpty
      entry.reports[state.lastID] = report
      state.entries[name] = entry
      // Under the lock, so that it precedes the reports of states that arrive meanwhile.
      if let (last, received) = entry.last {
        var late = TripReport(last, received: received)
        late.age += .now - received
        report(late)
      }
      return (state.lastID, isFirst)
    }
    if isFirst { willFollow(tripName) }
    return { [self] in
      if remove(id, of: name) { didStop(tripName) }
    }
  }

  /// Returns whether nobody follows the trip any more.
  private func remove(_ id: UInt64, of name: String) -> Bool {
    state.withLock { state in
      guard var entry = state.entries[name], entry.reports.removeValue(forKey: id) != nil else {
        return false
      }
      state.entries[name] = entry.reports.isEmpty && !entry.isKept ? nil : entry
      return entry.reports.isEmpty
    }
  }

  /// Passes on a state. One without a name is for all trips. A state that precedes the last one in the
  /// same stream is ignored. The reader decides which stream is the present one.
  package func take(_ new: TripState, at received: ContinuousClock.Instant = .now) {
    state.withLock { state in
      let names = new.name.isEmpty ? Array(state.entries.keys) : [new.name]
      for name in names {
        guard var entry = state.entries[name] else { continue }
        if new.streamSequence != 0 {
          let position = StreamPosition(new)
          guard
            position.isInOtherStream(than: entry.position) || !position.precedes(entry.position)
          else { continue }
          entry.position = position
        }
        if new.trip != nil || entry.last?.state.trip == nil { entry.last = (new, received) }
        state.entries[name] = entry
        // Under the lock, in the order of the states. A report is only passed to a loop.
        let report = TripReport(new, received: received)
        for receive in entry.reports.values { receive(report) }
      }
    }
  }

  /// Whether a service follows the trip.
  package func isFollowed(_ name: TripName) -> Bool {
    state.withLock { $0.entries[name.description]?.reports.isEmpty == false }
  }

  /// The trips that a service follows.
  package var followed: [TripName] {
    state.withLock { state in
      state.entries.compactMap { $0.value.reports.isEmpty ? nil : try? TripName($0.key) }
    }
  }

  /// Whether all trips have reached their last status.
  package var areOver: Bool {
    state.withLock { state in
      state.entries.values.allSatisfy { $0.last?.state.trip?.tripStatus.isFinal == true }
    }
  }
}
