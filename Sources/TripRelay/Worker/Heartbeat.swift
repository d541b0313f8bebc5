import WireProtobuf

/// The status that a worker publishes in the bucket of the workers.
package struct Heartbeat: Sendable, Hashable {
  package enum Phase: String, Sendable {
    /// Reads the buckets.
    case starting
    case working
    /// Takes no resources, because `tripwire relay drain` asked for that.
    case drained
    /// Hands its resources over, and ends.
    case draining
  }

  package var phase = Phase.starting
  /// The number of resources that the worker polls.
  package var resources = 0
  package var capacity = 0
  /// See ``Ownership/threshold``.
  var threshold: UInt64 = 0
  package var callsPerMinute = 0
  var calls = 0
  package var errors: [String: Int] = [:]
  /// The time in milliseconds by which the latest poll is late.
  package var lag = 0
  /// The states that were published since the start.
  var published = 0

  init() {}

  mutating func take(_ counts: CallCounter.Counts) {
    callsPerMinute = counts.callsPerMinute
    calls = counts.calls
    errors = counts.errors
  }

  /// Parses JSON; nil if it is not a heartbeat.
  init?(_ bytes: [UInt8]) {
    guard let fields = try? Struct(jsonUTF8Bytes: bytes),
      let phase = fields.text("phase").flatMap(Phase.init(rawValue:))
    else { return nil }
    func count(_ name: String) -> Int { Int(clamping: fields.integer(name) ?? 0) }
    self.phase = phase
    resources = count("resources")
    capacity = count("capacity")
    threshold = fields.text("threshold").flatMap { UInt64($0, radix: 16) } ?? 0
    callsPerMinute = count("callsPerMinute")
    calls = count("calls")
    lag = count("lagMs")
    published = count("published")
    for (code, value) in fields.object("errors")?.fields ?? [:] {
      errors[code] = value.numberValue.flatMap(Int.init(exactly:))
    }
  }

  var json: String {
    JSONWriter.object { json in
      json.member("phase", phase.rawValue)
      json.member("resources", resources)
      json.member("capacity", capacity)
      json.member("threshold", String(threshold, radix: 16))
      json.member("callsPerMinute", callsPerMinute)
      json.member("calls", calls)
      json.object("errors") { json in
        for (code, count) in errors.sorted(by: { $0.key < $1.key }) { json.member(code, count) }
      }
      json.member("lagMs", lag)
      json.member("published", published)
    }
  }
}
