import Tripwire

/// The way of one location from the device to the app. Times are in seconds since 1970; nil if unknown.
package struct LocationPath {
  /// The parts of the way.
  package enum Leg: String, CaseIterable {
    /// From the device to Fleet Engine.
    case uplink
    /// From there to the first answer with the location.
    case wait
    /// From there to the app.
    case downlink
    /// The whole way.
    case total
  }

  /// The location as the server has it, or as it was sent if the server does not have it.
  package let location: LocationReport
  /// The update with the location; nil without the server's log.
  package let sent: SentLocation?
  /// By the clock of the device.
  package let measured: Double?
  package let received: Double?
  package let answered: Double?
  package let shown: Double?

  /// In seconds; nil if one of the times is unknown.
  package func delay(_ leg: Leg) -> Double? {
    let (start, end) =
      switch leg {
      case .uplink: (measured, received)
      case .wait: (received, answered)
      case .downlink: (answered, shown)
      case .total: (measured, shown)
      }
    guard let start, let end else { return nil }
    return end - start
  }

  /// Returns the ways of all locations, in the order in which the server received them.
  ///
  /// - Parameter updates: those of the evidence.
  package static func all(
    _ evidence: TripEvidence, _ updates: [SentLocation]
  ) -> [LocationPath] {
    let answers = LocationIndex(timesIn: evidence.answers)
    let polls = LocationIndex(timesIn: evidence.polls)
    var paths: [LocationPath] = []
    var known = LocationIndex<Void>()
    for sent in updates {
      let location = sent.location
      if sent.isAccepted { known.add((), at: location) }
      paths.append(
        LocationPath(
          location: location, sent: sent,
          measured: sent.update.sent.measuredTime?.secondsSince1970, received: sent.update.time,
          answered: sent.isAccepted ? answers[location].first : nil,
          shown: sent.isAccepted ? polls[location].first : nil))
    }
    // Locations without an update in the log.
    for location in polls.locations + answers.locations where known[location].isEmpty {
      known.add((), at: location)
      paths.append(
        LocationPath(
          location: location, sent: nil, measured: location.measuredTime?.secondsSince1970,
          received: location.serverTime?.secondsSince1970, answered: answers[location].first,
          shown: polls[location].first))
    }
    return paths.enumerated().sorted { one, other in
      (one.element.order, one.offset) < (other.element.order, other.offset)
    }.map(\.element)
  }

  private var order: Double { received ?? answered ?? shown ?? 0 }

  /// The median, the 95th percentile and the largest delay of a leg; nil if no location has one.
  package static func percentiles(
    of leg: Leg, _ paths: [LocationPath]
  ) -> (median: Double, p95: Double, worst: Double)? {
    let delays = paths.compactMap { $0.delay(leg) }.sorted()
    guard let median = delays.percentile(50), let p95 = delays.percentile(95),
      let worst = delays.last
    else { return nil }
    return (median, p95, worst)
  }
}

extension LocationIndex<Double> {
  /// The times of the responses with each location.
  fileprivate init(timesIn polls: [TripEvidence.Poll]) {
    self.init()
    for poll in polls.sorted(by: { $0.end < $1.end }) where poll.outcome.code?.named == .ok {
      if let location = poll.location { add(poll.end, at: location) }
    }
  }
}
