package import JourneySharing

/// The data of a page that shows a recording: the frames of each trip, the calls, and the findings of
/// checks. Times are in seconds since 1970.
///
/// A route is in many frames, so equal features are kept once.
package struct RecordedMap: Sendable {
  /// A call, whose messages are JSON already.
  package struct Call: Sendable {
    /// The number of the call in the recording, from 1.
    package var number: Int
    package var start: Double
    package var end: Double?
    /// "maps.fleetengine.v1.TripService/GetTrip".
    package var method: String
    package var trip: String?
    /// "OK", or why there is no code.
    package var code: String
    package var message = ""
    package var summary = ""
    package var request: [UInt8]?
    package var response: [UInt8]?
    /// The changes of the merged trip as a JSON merge patch (RFC 7396).
    package var changes: [UInt8]?

    package init(number: Int, start: Double, method: String, code: String) {
      self.number = number
      self.start = start
      self.method = method
      self.code = code
    }
  }

  /// A check on the recording and what it found.
  package struct Check: Sendable {
    package struct Finding: Sendable {
      package var time: Double
      package var until: Double?
      package var trip: String?
      package var text: String

      package init(time: Double, until: Double?, trip: String?, text: String) {
        self.time = time
        self.until = until
        self.trip = trip
        self.text = text
      }
    }

    package var id: String
    package var title: String
    package var explanation: String
    package var findings: [Finding]

    package init(id: String, title: String, explanation: String, findings: [Finding]) {
      self.id = id
      self.title = title
      self.explanation = explanation
      self.findings = findings
    }
  }

  /// The size of the data so far, in bytes.
  package private(set) var size = 0
  package var checks: [Check] = []

  private let style: JourneyStyle
  private var trips: [String] = []
  private var tripIndexes: [String: Int] = [:]
  /// The times of the responses with a trip, by the index of the trip.
  private var responseTimes: [[Double]] = []
  private var features: [[UInt8]] = []
  private var featureIndexes: [[UInt8]: Int] = [:]
  private var frames: [(time: Double, json: [UInt8])] = []
  private var calls: [(end: Double, json: [UInt8])] = []

  package init(style: JourneyStyle = .page) {
    self.style = style
  }

  package var tripCount: Int { trips.count }
  package var callCount: Int { calls.count }

  /// - Parameter facts: the state of the trip from this time on.
  package mutating func add(_ facts: MapFacts, of trip: String, at time: Double) {
    let trip = index(of: trip)
    if facts.failure == nil { responseTimes[trip].append(time) }
    let frame = MapFrame(facts, style: style)
    let indexes = frame.journey?.compactFeatures().map { index(of: $0) } ?? []
    var json = GeoJSONWriter()
    json.frame(bounds: frame.journey?.camera, facts, time: time, trip: trip) { json in
      for index in indexes { json.element { $0.number(Double(index)) } }
    }
    size += json.bytes.count
    frames.append((time, json.bytes))
  }

  package mutating func add(_ call: Call) {
    let trip = call.trip.map { index(of: $0) }
    var json = GeoJSONWriter()
    json.object { json in
      json.member("number", Double(call.number))
      json.member("start", call.start)
      json.member("time", call.end ?? call.start)
      json.member("method", call.method)
      if let trip { json.member("trip", Double(trip)) }
      json.member("code", call.code)
      if !call.message.isEmpty { json.member("message", call.message) }
      json.member("summary", call.summary)
      for (name, value) in [
        ("request", call.request), ("response", call.response), ("changes", call.changes),
      ] {
        if let value { json.member(name) { $0.json(value) } }
      }
    }
    size += json.bytes.count
    calls.append((call.end ?? call.start, json.bytes))
  }

  private mutating func index(of trip: String) -> Int {
    if let index = tripIndexes[trip] { return index }
    tripIndexes[trip] = trips.count
    trips.append(trip)
    responseTimes.append([])
    return trips.count - 1
  }

  private mutating func index(of feature: [UInt8]) -> Int {
    if let index = featureIndexes[feature] { return index }
    featureIndexes[feature] = features.count
    features.append(feature)
    size += feature.count
    return features.count - 1
  }

  /// The data as a JSON object in UTF-8.
  package var json: [UInt8] {
    var json = GeoJSONWriter()
    json.object { json in
      json.list("trips", trips.indices) { json, trip in
        json.object { json in
          json.member("name", trips[trip])
          json.member("staleAfter", Self.staleAfter(responseTimes[trip]))
        }
      }
      json.list("features", features) { $0.json($1) }
      json.list("frames", frames.sorted { $0.time < $1.time }) { $0.json($1.json) }
      json.list("calls", calls.sorted { $0.end < $1.end }) { $0.json($1.json) }
      json.list("checks", checks) { json, check in write(check, to: &json) }
    }
    return json.bytes
  }

  private func write(_ check: Check, to json: inout GeoJSONWriter) {
    json.object { json in
      json.member("id", check.id)
      json.member("title", check.title)
      json.member("explanation", check.explanation)
      json.list("findings", check.findings) { json, finding in
        json.object { json in
          json.member("time", finding.time)
          if let until = finding.until { json.member("until", until) }
          if let trip = finding.trip.flatMap({ tripIndexes[$0] }) {
            json.member("trip", Double(trip))
          }
          json.member("text", finding.text)
        }
      }
    }
  }

  /// Three times the median interval between responses, at least 15 s: three of the default interval.
  private static func staleAfter(_ times: [Double]) -> Double {
    let times = times.sorted()
    let intervals = zip(times.dropFirst(), times).map { $0 - $1 }.sorted()
    return max(15, 3 * (intervals.isEmpty ? 0 : intervals[intervals.count / 2]))
  }
}

extension GeoJSONWriter {
  fileprivate mutating func list<Elements: Sequence>(
    _ name: String, _ elements: Elements, _ write: (inout GeoJSONWriter, Elements.Element) -> Void
  ) {
    member(name) { json in
      json.array { json in
        for element in elements { json.element { write(&$0, element) } }
      }
    }
  }
}
