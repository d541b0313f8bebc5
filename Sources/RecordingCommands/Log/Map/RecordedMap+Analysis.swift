import JourneySharing
import Tripwire
import WireProtobuf

extension RecordedMap {
  /// What happened to the locations of a vehicle on their way to the app.
  struct Analysis: Sendable {
    var spans: [Span] = []
    var delays: Delays?
    var tracks: Tracks?
  }

  /// A part of a trip in which the app showed the vehicle in one way.
  struct Span: Sendable {
    var start: Double
    var end: Double
    /// "stale".
    var state: String
    /// The side that has to be fixed: "driver".
    var side: String?
    var text: String
  }

  /// How long the locations of a trip were on their way to the app, in seconds.
  struct Delays: Sendable {
    /// A part of the way, or the whole.
    struct Leg: Sendable {
      var name: String
      var median: Double
      var p95: Double
      var worst: Double
    }

    /// The parts with known delays, in order, and then the whole way.
    var legs: [Leg]
    /// For each location when the app showed it, and its delay in each leg; nil if unknown.
    var points: [(time: Double, delays: [Double?])]
  }

  /// The track of a vehicle as the driver's app sent it, and as Fleet Engine accepted it.
  struct Tracks: Sendable {
    /// A location that Fleet Engine did not accept as it was sent.
    struct Problem: Sendable {
      var time: Double
      var place: LatLng
      var text: String
    }

    var sent: [LatLng]
    var accepted: [LatLng]
    var problems: [Problem]
  }
}

extension JSONWriter {
  mutating func members(of analysis: RecordedMap.Analysis) {
    if !analysis.spans.isEmpty { objects("spans", analysis.spans) { $0.members(of: $1) } }
    if let delays = analysis.delays { object("delays") { $0.members(of: delays) } }
    if let tracks = analysis.tracks { object("tracks") { $0.members(of: tracks) } }
  }

  private mutating func members(of span: RecordedMap.Span) {
    member("start", decimal: span.start)
    member("end", decimal: span.end)
    member("state", span.state)
    member("side", span.side)
    member("text", span.text)
  }

  private mutating func members(of delays: RecordedMap.Delays) {
    objects("legs", delays.legs) { json, leg in
      json.member("name", leg.name)
      json.member("median", decimal: leg.median)
      json.member("p95", decimal: leg.p95)
      json.member("worst", decimal: leg.worst)
    }
    objects("points", delays.points) { json, point in
      json.member("time", decimal: point.time)
      json.member("delays", point.delays) { json, delay in
        if let delay { json.put(decimal: delay) } else { json.put(plain: "null") }
      }
    }
  }

  private mutating func members(of tracks: RecordedMap.Tracks) {
    object("sent") { $0.members(ofPath: tracks.sent, from: 0) }
    object("accepted") { $0.members(ofPath: tracks.accepted, from: 0) }
    objects("problems", tracks.problems) { json, problem in
      json.member("time", decimal: problem.time)
      json.member("place", [problem.place.longitude, problem.place.latitude]) {
        $0.put(decimal: $1)
      }
      json.member("text", problem.text)
    }
  }
}
