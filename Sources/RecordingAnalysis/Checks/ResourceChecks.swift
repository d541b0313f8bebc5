import Tripwire
import WireProtobuf

/// The checks of one resource, call by call.
struct ResourceChecks: ~Copyable {
  /// Since when the location did not change, if that was reported.
  private var staleSince: Timestamp?
  private var location: VehicleLocation?
  private var locations = LocationChecks()
  private var clocks = ClockCheck()
  private var arrivals = ArrivalCheck()
  private var routes = RouteCheck()

  /// - Parameters:
  ///   - old: the resource before; nil for the first response.
  ///   - events: how it changed.
  ///   - nextStop: the next stop after the changes.
  ///   - lastMove: when the location changed before this response.
  ///   - sent: when the request was sent.
  mutating func receive(
    from old: FleetResource?, to new: FleetResource, _ events: [TimelineEvent],
    nextStop: ResourceFacts.NextStop?, lastMove: Timestamp?, at time: Timestamp, sent: Timestamp?
  ) -> [Finding] {
    var findings: [Finding] = []
    var hasOtherVehicle = false
    for event in events {
      switch event {
      case .vehicle: hasOtherVehicle = old != nil
      case .route(let path, _):
        findings += routes.receive(path, nextStop: nextStop, at: time)
      case .locationStale: staleSince = lastMove
      case .locationResumed: findings += stale(since: lastMove, until: time)
      default: break
      }
    }
    if new.isFinal { findings += stale(since: staleSince, until: time) }
    if let trip = new.trip { findings += arrivals.receive(from: old?.trip, to: trip, at: time) }
    if hasOtherVehicle {
      findings += locations.end() + clocks.end()
      location = nil
      locations = LocationChecks()
      clocks = ClockCheck()
    }
    guard let location = new.lastLocation else { return findings }
    // Without its time, an equal location may be a new one.
    if location.measuredTime == nil || location.withoutAge != self.location?.withoutAge {
      findings += locations.receive(location, at: time)
    }
    self.location = location
    return findings + clocks.receive(location, at: time, sent: sent)
  }

  /// The findings that last until the end of the recording.
  mutating func end(at time: Timestamp) -> [Finding] {
    stale(since: staleSince, until: time) + locations.end() + clocks.end()
  }

  private mutating func stale(
    since start: Timestamp?, until time: Timestamp
  ) -> [Finding] {
    staleSince = nil
    return start.map { [Finding(.stale, from: $0, to: time)] } ?? []
  }
}
