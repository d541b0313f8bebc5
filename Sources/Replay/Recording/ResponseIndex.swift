import Recording
import WireGRPC
import WireGRPCServer

/// Finds the response to a request among the calls of a recording or a script.
///
/// A request matches a call with the same canonical request (``RequestForm``), or with the same bytes
/// if the method is unknown. In a script it then matches a call for its resource, for the resource
/// without its provider, or for any request of the method. If several calls match, each request gets
/// the next one, or, with a clock, the latest one at that time.
///
/// If a recorded response omits fields that the recorded client already had, other clients receive them.
struct ResponseIndex {
  /// A method that was called.
  struct Method: Equatable {
    /// Its place in `places`.
    fileprivate var number: Int
    /// "/package.Service/Method"
    let path: String
    /// The number of request messages that are needed to choose a response;
    /// ``TimedResponse/wholeRequest`` for all.
    let requiredMessages: Int
  }

  /// Identifies the requests that a sequence of responses answers.
  private enum Key: Hashable {
    case exact([[UInt8]])
    case canonical([UInt8])
    case resource(String)
    case any

    /// Hashes all bytes at once: an array would hash them one by one.
    func hash(into hasher: inout Hasher) {
      switch self {
      case .exact(let messages):
        for message in messages { message.withUnsafeBytes { hasher.combine(bytes: $0) } }
      case .canonical(let bytes): bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
      case .resource(let name): hasher.combine(name)
      case .any: break
      }
    }
  }

  private var sequences: [ResponseSequence] = []
  /// For each method the places of its sequences.
  private var places: [[Key: Int]] = []
  private var methods: [String: Method] = [:]
  private var summary = RecordingSummary()
  /// Nil if each request gets the next response.
  private var clock: RecordingClock?
  private let loops: Bool

  /// The number of calls that can be replayed.
  private(set) var count = 0
  /// Warnings about calls that cannot be replayed, or not at their time.
  private(set) var omissions: [String] = []
  /// Whether calls cannot be replayed because a limit of the recorder has truncated their messages.
  private(set) var hasTruncatedCalls = false
  /// The number of calls with an earlier time than the previous call for the same request.
  private var setBack = 0
  private(set) var reflectionCalls: [RecordedCall] = []

  /// - Parameters:
  ///   - speed: the speed relative to the recording; nil ignores the recorded times.
  ///   - loops: whether the first response follows the last.
  init(_ calls: [RecordedCall], speed: Int? = nil, loops: Bool = false) {
    self.loops = loops
    let times = calls.flatMap { [$0.time, $0.ending?.time] }
    clock = speed.map {
      RecordingClock(speed: $0, loops: loops, end: times.compactMap { $0?.age }.max() ?? .zero)
    }
    var required: [String: Int] = [:]
    for call in calls where !call.requestIsTruncated {
      required[call.method] = min(
        required[call.method] ?? TimedResponse.wholeRequest, call.requiredMessages)
    }
    addMethods(required)
    for (call, complete) in zip(calls, CompleteTrips.completed(calls)) {
      do throws(TimedResponse.InvalidCall) {
        let response = try TimedResponse(call)
        add(call, response, complete: complete == call ? nil : try TimedResponse(complete))
        count += 1
      } catch {
        let omission = "call \(call.number) of \(call.method) cannot be replayed: \(error)"
        omissions.append(omission)
        if error.isTruncation { hasTruncatedCalls = true }
        // The same request gets this error instead of the response to another one.
        switch error {
        case .truncatedAnswer, .oversized: add(call, TimedResponse(Refusal(.dataLoss, omission)))
        case .truncatedRequest, .unfinished: break
        }
      }
    }
    guard speed != nil, setBack > 0 else { return }
    omissions.append(
      "times go back in the recording: \(setBack) of the \(count) calls"
        + " \(setBack == 1 ? "follows" : "follow") the previous call without a delay")
  }

  /// Each request gets the next response of the script.
  ///
  /// - Parameter loops: whether the first response follows the last.
  init(_ script: ReplayScript, loops: Bool = false) {
    self.loops = loops
    summary = RecordingSummary(of: .script)
    count = script.calls.count
    omissions = ScriptedPages.warnings(of: script.calls, loops: loops)
    var required: [String: Int] = [:]
    for call in script.calls {
      required[call.method] = max(required[call.method] ?? 0, call.requiredMessages)
    }
    addMethods(required)
    for (index, call) in script.calls.enumerated() { add(call, index + 1) }
  }

  private mutating func addMethods(_ required: [String: Int]) {
    for (path, count) in required {
      methods[path] = Method(number: places.count, path: path, requiredMessages: count)
      places.append([:])
    }
  }

  private mutating func add(_ call: ScriptedCall, _ number: Int) {
    var entry = ResponseSequence.Entry(response: call.response, call: number)
    switch call.request {
    case .message(let bytes):
      entry.requests = [bytes]
      add(call.method, Self.form(call.method, [bytes]), entry, nil)
    case .resource(let name):
      _ = add(call.method, .resource(name), entry, nil)
      summary.add(call.method, name)
    case .any:
      _ = add(call.method, .any, entry, nil)
      summary.add(call.method, nil)
    }
  }

  private mutating func add(
    _ call: RecordedCall, _ response: TimedResponse, complete: TimedResponse? = nil
  ) {
    let required = methods[call.method]?.requiredMessages ?? TimedResponse.wholeRequest
    var entry = ResponseSequence.Entry(
      response: response, complete: complete,
      requests: Array(call.requests.prefix(required)), call: call.number)
    if required != TimedResponse.wholeRequest { entry.response.conversation = call.requests }
    let isFound = call.ending?.code.named != .notFound
    add(
      call.method, Self.form(call.method, entry.requests), entry, call.time?.age, isFound: isFound)
    if ReflectionService.paths.contains(call.method) { reflectionCalls.append(call) }
  }

  private mutating func add(
    _ method: String, _ form: RequestForm?, _ entry: ResponseSequence.Entry, _ time: Duration?,
    isFound: Bool = true
  ) {
    let exact = Key.exact(entry.requests)
    let place = add(method, form.map { .canonical($0.canonical) } ?? exact, entry, time)
    // Most requests are found by their bytes and need not be decoded.
    if form != nil, let number = methods[method]?.number { places[number][exact] = place }
    summary.add(method, form?.resource, request: form?.canonical, isFound: isFound)
  }

  /// Returns the place of the sequence to which the response was added.
  private mutating func add(
    _ method: String, _ key: Key, _ entry: ResponseSequence.Entry, _ time: Duration?
  ) -> Int? {
    guard let number = methods[method]?.number else { return nil }
    let place = places[number][key] ?? sequences.count
    if place == sequences.count { sequences.append(ResponseSequence()) }
    places[number][key] = place
    if !sequences[place].append(entry, time) { setBack += 1 }
    return place
  }

  /// The names of the services that were called.
  var services: Set<String> {
    Set(
      summary.paths.lazy.filter { $0.hasPrefix("/") }
        .compactMap { $0.split(separator: "/").first.map(String.init) })
  }

  var methodCount: Int { summary.paths.count }

  func has(method: String) -> Bool { summary.has(method: method) }

  /// Throws for a method that was not recorded. It is refused before its request has ended, because
  /// that of a stream may never end.
  func method(_ path: String) throws(Refusal) -> Method {
    guard let method = methods[path], summary.has(method: path) else {
      throw summary.refusal(path, nil)
    }
    return method
  }

  /// Returns the response to the messages of a request, and its call.
  ///
  /// Throws when no call matches.
  mutating func response(
    to method: Method, _ requests: [[UInt8]], now: ContinuousClock.Instant
  ) throws(Refusal) -> Match {
    if let match = match(method, .exact(requests), .request, requests, now) { return match }
    let form = Self.form(method.path, requests)
    if let form {
      let key = Key.canonical(form.canonical)
      if let match = match(method, key, .request, requests, now) { return match }
      for name in [form.resource, form.shortResource ?? ""] where !name.isEmpty {
        let basis = Match.Basis.resource(name)
        if let match = match(method, .resource(name), basis, requests, now) { return match }
      }
    }
    if let match = match(method, .any, .anything, requests, now) { return match }
    throw summary.refusal(method.path, form?.resource, request: form?.canonical)
  }

  private mutating func match(
    _ method: Method, _ key: Key, _ basis: Match.Basis, _ requests: [[UInt8]],
    _ now: ContinuousClock.Instant
  ) -> Match? {
    guard let place = places[method.number][key] else { return nil }
    let time = clock?.time(at: now, for: sequences[place])
    let selection =
      if let time {
        sequences[place].response(at: time)
      } else {
        sequences[place].next(for: requests, loops: loops)
      }
    return selection.map {
      Match(selection: $0, basis: basis, isScript: summary.source == .script)
    }
  }

  private static func form(_ method: String, _ requests: [[UInt8]]) -> RequestForm? {
    guard requests.count == 1 else { return nil }
    return RequestReader.form(method, requests[0])
  }
}
