import Recording
import WireGRPC

/// The calls of a recording or a script, and which of them answers a request.
///
/// A request is looked up by what it asks for (``RequestForm``), or by its bytes where that is not known,
/// then by the name of the resource alone, then, in a script, by that without its provider, then by the
/// method alone. Of the calls recorded for the same request each request gets the next, or, by a clock,
/// all get the one that was the latest at that time.
///
/// What a recorded answer left out because the one who asked had it already, others are told, too.
struct AnswerBook {
  /// A method that has been called, by its place in `places`.
  struct Method: Equatable {
    fileprivate var number: Int
    /// "/package.Service/Method"
    let path: String
    /// How many messages of a request it takes to answer it; ``Answer/wholeRequest`` for all.
    let cue: Int
  }

  /// What calls of a method are looked up by.
  private enum Key: Hashable {
    case exact([[UInt8]])
    case canonical([UInt8])
    case resource(String)
    /// Whatever is asked for.
    case any

    /// Bytes as a whole: an array hashes them one by one.
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

  private var tapes: [Tape] = []
  /// For each method where the tapes are of what can be asked for.
  private var places: [[Key: Int]] = []
  private var methods: [String: Method] = [:]
  private var contents = Contents()
  /// Nil when answers are played step by step.
  private var clock: RecordingClock?
  private let loops: Bool

  /// How many calls can be replayed.
  private(set) var count = 0
  /// Which calls can not, or not at their time, and why.
  private(set) var omissions: [String] = []
  /// How many calls began before one that was recorded before them for the same request.
  private var setBack = 0
  /// The names of the services that were called.
  private(set) var services: Set<String> = []
  /// Those of the calls that asked for descriptors.
  private(set) var reflectionCalls: [RecordedCall] = []

  /// - Parameters:
  ///   - speed: how much faster than recorded, by the recorded times; nil for step by step.
  ///   - loops: whether the first answer comes after the last.
  init(_ calls: [RecordedCall], speed: Int? = nil, loops: Bool = false) {
    self.loops = loops
    let times = calls.flatMap { [$0.time, $0.ending?.time] }
    clock = speed.map {
      RecordingClock(speed: $0, loops: loops, end: times.compactMap { $0?.age }.max() ?? .zero)
    }
    var cues: [String: Int] = [:]
    for call in calls where !call.requestIsTruncated {
      cues[call.method] = min(cues[call.method] ?? Answer.wholeRequest, call.cue)
    }
    open(cues)
    for (call, whole) in zip(calls, WholeTrips.made(of: calls)) {
      do throws(Answer.Flaw) {
        let answer = try Answer(call)
        add(call, answer, whole: whole == call ? nil : try Answer(whole))
        count += 1
      } catch {
        let omission = "call \(call.id) of \(call.method) can not be replayed: \(error)"
        omissions.append(omission)
        // Whoever asks for this very call is told, rather than given another's answer.
        switch error {
        case .truncatedAnswer, .oversized: add(call, Answer(Refusal(.dataLoss, omission)))
        case .truncatedRequest, .unfinished: break
        }
      }
    }
    guard speed != nil, setBack > 0 else { return }
    omissions.append(
      "the clock was set back while it was recorded: by the recorded times, \(setBack) of the"
        + " \(count) calls come at once with those before them, not after")
  }

  /// Each request gets the next answer of the script.
  ///
  /// - Parameter loops: whether the first answer comes after the last.
  init(_ script: ReplayScript, loops: Bool = false) {
    self.loops = loops
    contents = Contents(of: "script")
    count = script.calls.count
    var cues: [String: Int] = [:]
    for call in script.calls { cues[call.method] = max(cues[call.method] ?? 0, call.cue) }
    open(cues)
    for call in script.calls { add(call) }
  }

  private mutating func open(_ cues: [String: Int]) {
    for (path, cue) in cues {
      methods[path] = Method(number: places.count, path: path, cue: cue)
      places.append([:])
    }
  }

  private mutating func add(_ call: ScriptedCall) {
    var entry = Tape.Entry(call.answer)
    switch call.request {
    case .message(let bytes):
      entry.requests = [bytes]
      add(call.method, Self.form(call.method, [bytes]), entry, nil)
    case .resource(let name):
      add(call.method, RequestForm(canonical: nil, resource: name), entry, nil)
    case .any:
      add(call.method, RequestForm(canonical: nil, resource: ""), entry, nil)
    }
  }

  private mutating func add(_ call: RecordedCall, _ answer: Answer, whole: Answer? = nil) {
    let cue = methods[call.method]?.cue ?? Answer.wholeRequest
    var entry = Tape.Entry(answer)
    if cue != Answer.wholeRequest { entry.answer.conversation = call.requests.map(\.bytes) }
    entry.whole = whole
    entry.requests = call.requests.prefix(cue).map(\.bytes)
    add(call.method, Self.form(call.method, entry.requests), entry, call.time?.age)
    if ReflectionService.paths.contains(call.method) { reflectionCalls.append(call) }
  }

  private mutating func add(
    _ method: String, _ form: RequestForm?, _ entry: Tape.Entry, _ time: Duration?
  ) {
    if let number = methods[method]?.number {
      var isSetBack = false
      let keys = Self.keys(entry.requests, form)
      for key in keys {
        let place = places[number][key] ?? tapes.count
        if place == tapes.count { tapes.append(Tape()) }
        places[number][key] = place
        if !tapes[place].append(entry, time) { isSetBack = true }
      }
      // So that most requests need not be read.
      if form?.canonical != nil { places[number][.exact(entry.requests)] = places[number][keys[0]] }
      if isSetBack { setBack += 1 }
    }
    contents.add(method, form.flatMap { $0.resource.isEmpty ? nil : $0.resource })
    let service = method.split(separator: "/").first.map(String.init)
    if let service, method.hasPrefix("/") { services.insert(service) }
  }

  /// How many methods have been called.
  var methodCount: Int { contents.methodCount }

  func has(method: String) -> Bool { contents.has(method: method) }

  /// Throws for a method that was not recorded: it is refused before its request has ended, which a
  /// stream's may never do.
  func method(_ path: String) throws(Refusal) -> Method {
    guard let method = methods[path], contents.has(method: path) else {
      throw contents.refusal(path, nil)
    }
    return method
  }

  /// The answer to the messages of a request, or why there is none.
  mutating func answer(
    to method: Method, _ requests: [[UInt8]], now: ContinuousClock.Instant
  ) throws(Refusal) -> Answer {
    if let answer = play(method, .exact(requests), requests, now) { return answer }
    let form = Self.form(method.path, requests)
    if let form {
      for key in Self.keys(requests, form) {
        if let answer = play(method, key, requests, now) { return answer }
      }
      let short = form.shortResource.map(Key.resource)
      if let short, let answer = play(method, short, requests, now) { return answer }
    }
    if let answer = play(method, .any, requests, now) { return answer }
    throw contents.refusal(method.path, form?.resource)
  }

  private mutating func play(
    _ method: Method, _ key: Key, _ requests: [[UInt8]], _ now: ContinuousClock.Instant
  ) -> Answer? {
    guard let place = places[method.number][key] else { return nil }
    guard clock != nil else { return tapes[place].play(for: requests, loops: loops) }
    guard let time = clock?.time(at: now, for: tapes[place]) else { return nil }
    return tapes[place].answer(at: time)
  }

  /// From the most to the least exact.
  private static func keys(_ requests: [[UInt8]], _ form: RequestForm?) -> [Key] {
    guard let form else { return [.exact(requests)] }
    var keys = form.canonical.map { [Key.canonical($0)] } ?? []
    if !form.resource.isEmpty { keys.append(.resource(form.resource)) }
    return keys.isEmpty ? [.any] : keys
  }

  private static func form(_ method: String, _ requests: [[UInt8]]) -> RequestForm? {
    guard requests.count == 1 else { return nil }
    return RequestReader.form(method, requests[0])
  }
}
