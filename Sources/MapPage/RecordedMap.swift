import COpenSSL
package import JourneySharing
import WireGRPC
import WireProtobuf

/// The data of a page that shows a recording: the frames of each trip, the calls, and the findings of
/// checks. Times are in seconds since 1970.
///
/// A route is in many frames, so equal features are written once. All is compressed as it comes, because
/// a recording may have 100,000 calls.
package struct RecordedMap: ~Copyable {
  /// A call, whose messages are JSON already.
  package struct Call: Sendable {
    /// The number of the call in the recording, from 1.
    var number: Int
    package var start: Double
    package var end: Double?
    /// "maps.fleetengine.v1.TripService/GetTrip".
    var method: String
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

  package struct Check: Sendable {
    package struct Finding: Sendable {
      var time: Double
      var until: Double?
      var trip: String?
      var text: String

      package init(time: Double, until: Double?, trip: String?, text: String) {
        self.time = time
        self.until = until
        self.trip = trip
        self.text = text
      }
    }

    var id: String
    var title: String
    var explanation: String
    var findings: [Finding]

    package init(id: String, title: String, explanation: String, findings: [Finding]) {
      self.id = id
      self.title = title
      self.explanation = explanation
      self.findings = findings
    }
  }

  /// A part of a trip in which the app showed the vehicle in one way.
  package struct Span: Sendable {
    var start: Double
    var end: Double
    /// "stale".
    var state: String
    /// The side that has to be fixed: "driver".
    var side: String?
    var text: String

    package init(start: Double, end: Double, state: String, side: String?, text: String) {
      self.start = start
      self.end = end
      self.state = state
      self.side = side
      self.text = text
    }
  }

  /// How long the locations of a trip were on their way to the app, in seconds.
  package struct Delays: Sendable {
    package var median: Double
    package var p95: Double
    package var worst: Double
    /// For each location when the app showed it, and the time since it was measured.
    package var points: [(time: Double, delay: Double)]

    package init(median: Double, p95: Double, worst: Double, points: [(Double, Double)]) {
      self.median = median
      self.p95 = p95
      self.worst = worst
      self.points = points
    }
  }

  private struct Trip {
    let name: String
    var spans: [Span] = []
    var delays: Delays?
    /// Why the calls have no changes.
    var note: String?
    /// The times of the responses with a trip.
    var responseTimes: [Double] = []
    /// The lines of the last frame, and the indexes of their features.
    var lines: (polylines: [Journey.Polyline], indexes: [Int]) = ([], [])
  }

  /// The size of the data so far before the compression, in bytes.
  package private(set) var size = 0
  package var checks: [Check] = []
  package private(set) var callCount = 0

  private enum Kind: Int, CaseIterable {
    case feature, frame, call
  }

  /// The size from which elements are compressed, in bytes. It is several windows of zlib.
  private static let chunk = 1 << 18

  private let style: JourneyStyle
  private let output = GzipStream()
  /// The elements that are not compressed yet, by their kinds: equal kinds compress better.
  private var pending = [[UInt8]](repeating: [], count: Kind.allCases.count)
  private var isEmpty = true
  private var trips: [Trip] = []
  private var tripIndexes: [String: Int] = [:]
  private var featureIndexes: [Digest: Int] = [:]

  package init(style: JourneyStyle = .page) {
    self.style = style
  }

  package var tripCount: Int { trips.count }

  /// Adds the state of the trip from this time on, and returns what the map then shows.
  @discardableResult
  package mutating func add(_ facts: MapFacts, of trip: String, at time: Double) -> Journey? {
    let trip = index(of: trip)
    if facts.failure == nil { trips[trip].responseTimes.append(time) }
    let frame = MapFrame(facts, style: style)
    let features = frame.journey.map { indexes(of: $0, trip) } ?? []
    let json = JSONWriter.bytes { json in
      json.frame(bounds: frame.bounds, time: time, trip: trip) { json in
        json.array(features) { $0.put(number: $1) }
      } facts: {
        $0.members(of: facts)
      }
    }
    write(json, .frame)
    return frame.journey
  }

  /// - Parameter note: why the calls of the trip have no changes.
  package mutating func add(note: String, to trip: String) { trips[index(of: trip)].note = note }

  package mutating func add(_ spans: [Span], _ delays: Delays?, to trip: String) {
    let index = index(of: trip)
    trips[index].spans = spans
    trips[index].delays = delays
  }

  package mutating func add(_ call: Call) {
    let trip = call.trip.map { index(of: $0) }
    let json = JSONWriter.objectBytes { json in
      json.member("number", call.number)
      json.member("start", decimal: call.start)
      json.member("time", decimal: call.end ?? call.start)
      json.member("method", call.method)
      json.member("trip", trip)
      json.member("code", call.code)
      json.member("message", call.message.isEmpty ? nil : call.message)
      json.member("summary", call.summary)
      json.member("request", json: call.request)
      json.member("response", json: call.response)
      json.member("changes", json: call.changes)
    }
    callCount += 1
    write(json, .call)
  }

  private mutating func index(of trip: String) -> Int {
    if let index = tripIndexes[trip] { return index }
    tripIndexes[trip] = trips.count
    trips.append(Trip(name: trip))
    return trips.count - 1
  }

  /// Returns the indexes of the features. Most frames have the lines of the frame before.
  private mutating func indexes(of journey: Journey, _ trip: Int) -> [Int] {
    if trips[trip].lines.polylines != journey.polylines {
      var lines = journey
      lines.markers = []
      trips[trip].lines = (
        journey.polylines, lines.compactFeatures().map { index(of: $0) }
      )
    }
    var markers = journey
    markers.polylines = []
    return trips[trip].lines.indexes + markers.compactFeatures().map { index(of: $0) }
  }

  private mutating func index(of feature: [UInt8]) -> Int {
    let digest = Digest(feature)
    if let index = featureIndexes[digest] { return index }
    featureIndexes[digest] = featureIndexes.count
    write(feature, .feature)
    return featureIndexes.count - 1
  }

  /// Writes an element of the list of frames, calls and features.
  private mutating func write(_ json: [UInt8], _ kind: Kind) {
    if !pending[kind.rawValue].isEmpty { pending[kind.rawValue].append(UInt8(ascii: ",")) }
    pending[kind.rawValue] += json
    size += json.count
    if pending[kind.rawValue].count >= Self.chunk { compress(kind) }
  }

  private mutating func compress(_ kind: Kind) {
    guard !pending[kind.rawValue].isEmpty else { return }
    output.write(Array((isEmpty ? "{\"items\":[" : ",").utf8))
    output.write(pending[kind.rawValue])
    pending[kind.rawValue].removeAll(keepingCapacity: true)
    isEmpty = false
  }

  /// Returns the data as a JSON object in UTF-8, compressed with gzip; nil without enough memory. Nothing
  /// can be added after that.
  ///
  /// Its `items` are frames, calls and features, each kind in the order in which they were added. An index
  /// counts the features only.
  package mutating func gzipped() -> [UInt8]? {
    for kind in Kind.allCases { compress(kind) }
    if isEmpty { output.write(Array("{\"items\":[".utf8)) }
    let (trips, checks, tripIndexes) = (trips, checks, tripIndexes)
    let json = JSONWriter.objectBytes { json in
      json.objects("trips", trips) { json, trip in
        json.member("name", trip.name)
        json.member("staleAfter", decimal: Self.staleAfter(trip.responseTimes))
        json.member("note", trip.note)
        if !trip.spans.isEmpty { json.objects("spans", trip.spans) { Self.write($1, to: &$0) } }
        if let delays = trip.delays { json.object("delays") { Self.write(delays, to: &$0) } }
      }
      json.member("checks", checks) { Self.write($1, tripIndexes, to: &$0) }
    }
    output.write(Array("],".utf8) + json.dropFirst())
    return output.finish()
  }

  private static func write(_ span: Span, to json: inout JSONWriter) {
    json.member("start", decimal: span.start)
    json.member("end", decimal: span.end)
    json.member("state", span.state)
    json.member("side", span.side)
    json.member("text", span.text)
  }

  private static func write(_ delays: Delays, to json: inout JSONWriter) {
    json.member("median", decimal: delays.median)
    json.member("p95", decimal: delays.p95)
    json.member("worst", decimal: delays.worst)
    json.objects("points", delays.points) { json, point in
      json.member("time", decimal: point.time)
      json.member("delay", decimal: point.delay)
    }
  }

  private static func write(
    _ check: Check, _ tripIndexes: [String: Int], to json: inout JSONWriter
  ) {
    json.object { json in
      json.member("id", check.id)
      json.member("title", check.title)
      json.member("explanation", check.explanation)
      json.objects("findings", check.findings) { json, finding in
        json.member("time", decimal: finding.time)
        json.member("until", decimal: finding.until)
        json.member("trip", finding.trip.flatMap { tripIndexes[$0] })
        json.member("text", finding.text)
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

/// The first half of a SHA-256 digest. It takes less memory than the feature.
private struct Digest: Hashable {
  private let words: SIMD2<UInt64>

  init(_ bytes: [UInt8]) {
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
    _ = unsafe SHA256(bytes, bytes.count, &digest)
    words = unsafe digest.withUnsafeBytes { unsafe $0.loadUnaligned(as: SIMD2<UInt64>.self) }
  }
}
