import JourneySharing
import MapPage
import Tripwire
import WireGRPC
import WireProtobuf

/// The data of a page that shows a recording: the frames of each trip, the calls, and the findings of
/// checks. Times are in seconds since 1970.
///
/// A route is in many frames, so equal features are written once. All is compressed as it comes, because
/// a recording may have 100,000 calls.
struct RecordedMap: ~Copyable {
  /// A call, whose messages are JSON already.
  struct Call: Sendable {
    /// The number of the call in the recording, from 1.
    var number: Int
    var start: Double
    var end: Double?
    /// "maps.fleetengine.v1.TripService/GetTrip".
    var method: String
    var trip: String?
    /// "OK", or why there is no code.
    var code: String
    var message = ""
    var summary = ""
    var request: [UInt8]?
    var response: [UInt8]?
    /// The changes of the merged trip as a JSON merge patch (RFC 7396).
    var changes: [UInt8]?
  }

  struct Check: Sendable {
    struct Finding: Sendable {
      var time: Double
      var until: Double?
      var trip: String?
      var text: String
    }

    var id: String
    var title: String
    var explanation: String
    var findings: [Finding]
    /// How many more findings there are.
    var omitted = 0
  }

  /// One of several that recorded the same resources. Its vehicles have a letter and a color of their own.
  struct Observer: Sendable {
    let name: String
    let letter: String
  }

  private struct Trip {
    let name: String
    /// An index of the observers.
    var observer: Int?
    /// What happened to the locations of the vehicle on their way to the app, as a JSON object.
    var analysis = "{}"
    /// Why the calls have no changes.
    var note: String?
    /// The times of the responses with a trip.
    var responseTimes: [Double] = []
    /// The lines of the last frame, and the indexes of their features.
    var lines: (polylines: [Journey.Polyline], indexes: [Int]) = ([], [])
  }

  /// The size of the data so far before the compression, in bytes.
  private(set) var size = 0
  private var checks: [Check] = []
  private(set) var callCount = 0

  private enum Kind: Int, CaseIterable {
    case feature, frame, call
  }

  /// The size from which elements are compressed, in bytes. It is several windows of zlib.
  private static let chunk = 1 << 18

  private let observers: [Observer]
  /// The style of each observer. Resources without an observer have the first one.
  private let styles: [JourneyStyle] = [.page, .secondObserver]
  private let output = GzipStream()
  /// The elements that are not compressed yet, by their kinds: equal kinds compress better.
  private var pending = [[UInt8]](repeating: [], count: Kind.allCases.count)
  private var isEmpty = true
  private var trips: [Trip] = []
  private var tripIndexes: [String: Int] = [:]
  private var featureIndexes: [Digest: Int] = [:]

  /// - Parameter observers: at most two; none if there is only one log.
  init(observers: [Observer] = []) {
    self.observers = observers
  }

  var tripCount: Int { trips.count }

  /// Adds the state of the trip from this time on, and returns what the map then shows.
  ///
  /// - Parameter observer: the index of the observer that had the state.
  @discardableResult
  mutating func add(
    _ facts: MapFacts, of trip: String, by observer: Int? = nil, at time: Double
  ) -> Journey? {
    let trip = index(of: trip)
    trips[trip].observer = observer
    if facts.failure == nil { trips[trip].responseTimes.append(time) }
    let frame = MapFrame(facts, style: styles[observer ?? 0])
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
  mutating func add(note: String, to trip: String) { trips[index(of: trip)].note = note }

  /// - Parameter analysis: a JSON object of ``LocationAnalysis``.
  mutating func add(analysis: String, to trip: String) {
    trips[index(of: trip)].analysis = analysis
  }

  /// Adds the findings of a check to those that it has.
  mutating func add(_ check: Check) {
    if let index = checks.firstIndex(where: { $0.id == check.id }) {
      checks[index].findings += check.findings
      checks[index].omitted += check.omitted
    } else {
      checks.append(check)
    }
  }

  mutating func add(_ call: Call) {
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
        journey.polylines, lines.compactFeatures(withDistances: true).map { index(of: $0) }
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
  mutating func gzipped() -> [UInt8]? {
    for kind in Kind.allCases { compress(kind) }
    if isEmpty { output.write(Array("{\"items\":[".utf8)) }
    let (trips, checks, tripIndexes, observers) = (trips, checks, tripIndexes, observers)
    let colors = styles.map(\.vehicle.color.hex)
    let json = JSONWriter.objectBytes { json in
      json.objects("trips", trips) { json, trip in
        json.member("name", trip.name)
        json.member("staleAfter", decimal: Self.staleAfter(trip.responseTimes))
        json.member("note", trip.note)
        json.member("observer", trip.observer)
        json.members(ofObject: trip.analysis)
      }
      if !observers.isEmpty {
        json.objects("observers", Array(zip(observers, colors))) { json, observer in
          json.member("name", observer.0.name)
          json.member("letter", observer.0.letter)
          json.member("color", observer.1)
        }
      }
      json.member("checks", checks) { Self.write($1, tripIndexes, to: &$0) }
    }
    output.write(Array("],".utf8) + json.dropFirst())
    return output.finish()
  }

  private static func write(
    _ check: Check, _ tripIndexes: [String: Int], to json: inout JSONWriter
  ) {
    json.object { json in
      json.member("id", check.id)
      json.member("title", check.title)
      let more = check.omitted > 0 ? " \(check.omitted) more findings are not shown." : ""
      json.member("explanation", check.explanation + more)
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
