import Recording
package import WireProtobuf

/// Counts the selected calls of each method, their statuses and their latencies.
package struct CallStatistics {
  package struct Method {
    package private(set) var calls = 0
    package private(set) var statuses: [String: Int] = [:]
    /// The statuses among them that the client generated.
    package private(set) var localStatuses: [String: Int] = [:]
    private var latencies: [Duration] = []
    /// The start of the first call, and of the last one.
    package private(set) var first: Timestamp?
    package private(set) var last: Timestamp?

    fileprivate mutating func add(_ call: LoggedCall) {
      calls += 1
      statuses[call.status.description, default: 0] += 1
      if call.isLocal { localStatuses[call.status.description, default: 0] += 1 }
      if let start = call.start {
        first = min(first ?? start, start)
        last = max(last ?? start, start)
      }
      if let latency = call.latency { latencies.append(latency) }
    }

    /// p50, p95, p99 and the maximum latency; nil if no call has an end.
    package var percentiles: [(name: String, latency: Duration)]? {
      let sorted = latencies.sorted()
      guard let p50 = sorted.percentile(50), let p95 = sorted.percentile(95),
        let p99 = sorted.percentile(99), let longest = sorted.last
      else { return nil }
      return [("p50", p50), ("p95", p95), ("p99", p99), ("max", longest)]
    }
  }

  private let types: MessageTypes
  private let selection: CallSelection
  private var calls = OpenCalls<LoggedCall>()
  /// By path; "" for calls without a start in the recording.
  package private(set) var methods: [String: Method] = [:]

  package init(_ types: MessageTypes, _ selection: CallSelection) {
    self.types = types
    self.selection = selection
  }

  package mutating func add(_ entry: LoggedEntry) {
    let number = entry.call.number
    if entry.call.isNew { calls[number] = LoggedCall(entry) }
    calls[number]?.add(entry, types)
    if let call = calls.end(at: entry) { count(call) }
  }

  /// Counts the calls that have no end.
  package mutating func end() {
    for call in calls.all { count(call) }
  }

  private mutating func count(_ call: LoggedCall) {
    guard selection.includes(call) else { return }
    methods[call.method ?? "", default: Method()].add(call)
  }
}
