import CommandShell
import MapPage
import RecordingAnalysis
import Tripwire

/// What happened to the locations of each resource on their way to the app, for the page with a map.
struct LocationAnalysis {
  private static let legs: [(LocationPath.Leg, name: String)] = [
    (.uplink, "Device to Fleet Engine"), (.wait, "Fleet Engine to answer"),
    (.downlink, "Answer to app"), (.total, "Device to app"),
  ]

  private let days: DayHeadings
  private var stale: [RecordedMap.Check.Finding] = []
  private var problems: [RecordedMap.Check.Finding] = []
  /// The calls with a finding. The updates of a vehicle are also those of its trips.
  private var problemCalls: Set<Int> = []

  init(_ clock: WallClock) {
    days = DayHeadings(clock)
  }

  /// The findings so far.
  var checks: [RecordedMap.Check] {
    [
      RecordedMap.Check(
        id: "cause", title: "Causes of old locations",
        explanation: "Why the app had no new location for more than three usual intervals.",
        findings: stale),
      RecordedMap.Check(
        id: "update", title: "Locations that were not accepted",
        explanation: "Fleet Engine discarded, changed or refused what the driver's app sent.",
        findings: problems),
    ]
  }

  /// - Parameter label: the name of the resource on the page.
  mutating func result(of evidence: TripEvidence, label: String) -> RecordedMap.Analysis {
    var result = RecordedMap.Analysis()
    let (spans, updates) = { ($0.spans, $0.updates) }(TripSpans(evidence))
    if spans.contains(where: { $0.state != .waiting && $0.state != .unwatched }) {
      result.spans = spans.map { span in
        let text = span.text(evidence) { days.time(Timestamp(secondsSince1970: $0)) }
        if span.cause != nil {
          stale.append(.init(time: span.start, until: span.end, trip: label, text: text))
        }
        return RecordedMap.Span(
          start: span.start, end: span.end, state: span.stateName, side: span.cause?.side.rawValue,
          text: text)
      }
      result.delays = Self.delays(of: LocationPath.all(evidence, updates))
    }
    // A vehicle may have a thousand tasks, each with the same track.
    if [.trip, .vehicle, .deliveryVehicle].contains(evidence.kind), !evidence.updates.isEmpty {
      result.tracks = tracks(of: updates, label)
    }
    return result
  }

  private static func delays(of paths: [LocationPath]) -> RecordedMap.Delays? {
    let legs = legs.compactMap { leg, name in
      LocationPath.percentiles(of: leg, paths).map { delays in
        (
          leg,
          RecordedMap.Delays.Leg(
            name: name, median: rounded(delays.median), p95: rounded(delays.p95),
            worst: rounded(delays.worst))
        )
      }
    }
    guard legs.last?.0 == .total else { return nil }
    return RecordedMap.Delays(
      legs: legs.map(\.1),
      points: paths.compactMap { path in
        guard let shown = path.shown, path.delay(.total) != nil else { return nil }
        return (shown, legs.map { path.delay($0.0).map(rounded) })
      })
  }

  /// With milliseconds.
  private static func rounded(_ seconds: Double) -> Double { (seconds * 1_000).rounded() / 1_000 }

  private mutating func tracks(
    of updates: [SentLocation], _ label: String
  ) -> RecordedMap.Tracks {
    var problems: [RecordedMap.Tracks.Problem] = []
    for sent in updates {
      guard let text = sent.problem else { continue }
      if problemCalls.insert(sent.update.call).inserted {
        self.problems.append(
          .init(time: sent.update.time, until: nil, trip: label, text: text))
      }
      if let place = sent.update.sent.place, place.isOnGlobe {
        problems.append(.init(time: sent.update.time, place: place, text: text))
      }
    }
    return RecordedMap.Tracks(
      sent: updates.compactMap(\.update.sent.place).filter(\.isOnGlobe),
      accepted: updates.filter(\.isAccepted).compactMap(\.location.place).filter(\.isOnGlobe),
      problems: problems)
  }
}

extension SentLocation {
  /// "discarded: 334 km in 5 s is too fast; 334 km from the accepted location"; nil if the server has the location as
  /// it was sent.
  fileprivate var problem: String? {
    guard let words else { return nil }
    guard case .discarded = result, let meters else { return words }
    return words + "; \(Units.distance(meters: meters)) from the accepted location"
  }
}
