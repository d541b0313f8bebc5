import CommandShell
import JourneySharing
import MapPage
import RecordingAnalysis
import Tripwire
import WireProtobuf

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

  /// Returns the spans, the delays and the tracks of a resource as a JSON object. Times and delays are in seconds.
  ///
  /// - Parameter label: the name of the resource on the page.
  mutating func json(of evidence: TripEvidence, label: String) -> String {
    let (spans, updates) = { ($0.spans, $0.updates) }(TripSpans(evidence))
    return JSONWriter.object { json in
      if spans.contains(where: { $0.state != .waiting && $0.state != .unwatched }) {
        json.objects("spans", spans) { write($1, evidence, label, to: &$0) }
        Self.writeDelays(of: LocationPath.all(evidence, updates), to: &json)
      }
      // A vehicle may have a thousand tasks, each with the same track.
      if [.trip, .vehicle, .deliveryVehicle].contains(evidence.kind), !evidence.updates.isEmpty {
        json.object("tracks") { writeTracks(of: updates, label, to: &$0) }
      }
    }
  }

  private mutating func write(
    _ span: TripSpan, _ evidence: TripEvidence, _ label: String, to json: inout JSONWriter
  ) {
    let text = span.text(evidence) { days.time(Timestamp(secondsSince1970: $0)) }
    if span.cause != nil {
      stale.append(.init(time: span.start, until: span.end, trip: label, text: text))
    }
    json.member("start", decimal: span.start)
    json.member("end", decimal: span.end)
    json.member("state", span.stateName)
    json.member("side", span.cause?.side.rawValue)
    json.member("text", text)
  }

  /// Writes the delays of the parts that are known, in order, and then of the whole way.
  private static func writeDelays(of paths: [LocationPath], to json: inout JSONWriter) {
    let legs = legs.compactMap { leg, name in
      LocationPath.percentiles(of: leg, paths).map { (leg: leg, name: name, delays: $0) }
    }
    guard legs.last?.leg == .total else { return }
    json.object("delays") { json in
      json.objects("legs", legs) { json, leg in
        json.member("name", leg.name)
        json.member("median", decimal: rounded(leg.delays.median))
        json.member("p95", decimal: rounded(leg.delays.p95))
        json.member("worst", decimal: rounded(leg.delays.worst))
      }
      json.objects("points", paths.filter { $0.delay(.total) != nil }) { json, path in
        json.member("time", decimal: path.shown)
        json.member("delays", legs) { json, leg in
          if let delay = path.delay(leg.leg) {
            json.put(decimal: rounded(delay))
          } else {
            json.put(plain: "null")
          }
        }
      }
    }
  }

  /// With milliseconds.
  private static func rounded(_ seconds: Double) -> Double { (seconds * 1_000).rounded() / 1_000 }

  /// Writes the track as the driver's app sent it, as Fleet Engine accepted it, and the locations that were not
  /// accepted as they were sent.
  private mutating func writeTracks(
    of updates: [SentLocation], _ label: String, to json: inout JSONWriter
  ) {
    let sent = updates.compactMap(\.update.sent.place).filter(\.isOnGlobe)
    let accepted = updates.filter(\.isAccepted).compactMap(\.location.place).filter(\.isOnGlobe)
    json.object("sent") { $0.members(ofPath: sent, from: 0) }
    json.object("accepted") { $0.members(ofPath: accepted, from: 0) }
    var shown: [(time: Double, place: LatLng, text: String)] = []
    for sent in updates {
      guard let text = sent.problem else { continue }
      let time = sent.update.time
      if problemCalls.insert(sent.update.call).inserted {
        problems.append(.init(time: time, until: nil, trip: label, text: text))
      }
      if let place = sent.update.sent.place, place.isOnGlobe { shown.append((time, place, text)) }
    }
    json.objects("problems", shown) { json, problem in
      json.member("time", decimal: problem.time)
      json.member("place", [problem.place.longitude, problem.place.latitude]) {
        $0.put(decimal: $1)
      }
      json.member("text", problem.text)
    }
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
