import Recording
import WireGRPC

/// The calls of a recording or a script, and which of them answers a request.
///
/// A request matches a call that asks for the same (``RequestForm``), or has the same bytes where the
/// method is not known. In a script it then matches a call for its resource, for that without the
/// provider, or for any request of the method. Of several calls that match, each request gets the next
/// one, or, by a clock, the latest one of that time.
///
/// Where a recorded answer left out what the client had already, other clients get the whole.
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
    /// Any request.
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
        let omission = "call \(call.number) of \(call.method) cannot be replayed: \(error)"
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
      "the clock was set back during the recording: \(setBack) of the \(count) calls are replayed"
        + " without a delay after the call before")
  }

  /// Each request gets the next answer of the script.
  ///
  /// - Parameter loops: whether the first answer comes after the last.
  init(_ script: ReplayScript, loops: Bool = false) {
    self.loops = loops
    contents = Contents(of: .script)
    count = script.calls.count
    omissions = ScriptedPages.warnings(of: script.calls, loops: loops)
    var cues: [String: Int] = [:]
    for call in script.calls { cues[call.method] = max(cues[call.method] ?? 0, call.cue) }
    open(cues)
    for (index, call) in script.calls.enumerated() { add(call, index + 1) }
  }

  private mutating func open(_ cues: [String: Int]) {
    for (path, cue) in cues {
      methods[path] = Method(number: places.count, path: path, cue: cue)
      places.append([:])
    }
  }

  private mutating func add(_ call: ScriptedCall, _ number: Int) {
    var entry = Tape.Entry(call.answer)
    entry.call = number
    switch call.request {
    case .message(let bytes):
      entry.requests = [bytes]
      add(call.method, Self.form(call.method, [bytes]), entry, nil)
    case .resource(let name):
      _ = add(call.method, .resource(name), entry, nil)
      add(call.method, resource: name)
    case .any:
      _ = add(call.method, .any, entry, nil)
      add(call.method, resource: nil)
    }
  }

  private mutating func add(_ call: RecordedCall, _ answer: Answer, whole: Answer? = nil) {
    let cue = methods[call.method]?.cue ?? Answer.wholeRequest
    var entry = Tape.Entry(answer)
    entry.call = call.number
    if cue != Answer.wholeRequest { entry.answer.conversation = call.requests.map(\.bytes) }
    entry.whole = whole
    entry.requests = call.requests.prefix(cue).map(\.bytes)
    add(call.method, Self.form(call.method, entry.requests), entry, call.time?.age)
    if ReflectionService.paths.contains(call.method) { reflectionCalls.append(call) }
  }

  /// Adds the answer to a request.
  private mutating func add(
    _ method: String, _ form: RequestForm?, _ entry: Tape.Entry, _ time: Duration?
  ) {
    let exact = Key.exact(entry.requests)
    let place = add(method, form.map { .canonical($0.canonical) } ?? exact, entry, time)
    // So that most requests need not be read.
    if form != nil, let number = methods[method]?.number { places[number][exact] = place }
    add(method, resource: form?.resource, form?.canonical)
  }

  /// Returns the place of the tape that the answer is on.
  private mutating func add(
    _ method: String, _ key: Key, _ entry: Tape.Entry, _ time: Duration?
  ) -> Int? {
    guard let number = methods[method]?.number else { return nil }
    let place = places[number][key] ?? tapes.count
    if place == tapes.count { tapes.append(Tape()) }
    places[number][key] = place
    if !tapes[place].append(entry, time) { setBack += 1 }
    return place
  }

  private mutating func add(_ method: String, resource: String?, _ request: [UInt8]? = nil) {
    contents.add(method, resource, request: request)
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

  /// Returns the answer to the messages of a request, and the call that it is of.
  ///
  /// Throws when no call matches.
  mutating func answer(
    to method: Method, _ requests: [[UInt8]], now: ContinuousClock.Instant
  ) throws(Refusal) -> (answer: Answer, match: Match) {
    func found(_ turn: Tape.Turn, _ basis: Match.Basis) -> (Answer, Match) {
      (turn.answer, Match(turn, basis, isScript: contents.source == .script))
    }

    if let turn = play(method, .exact(requests), requests, now) {
      return found(turn, .request)
    }
    let form = Self.form(method.path, requests)
    if let form {
      if let turn = play(method, .canonical(form.canonical), requests, now) {
        return found(turn, .request)
      }
      for name in [form.resource, form.shortResource ?? ""] where !name.isEmpty {
        if let turn = play(method, .resource(name), requests, now) {
          return found(turn, .resource(name))
        }
      }
    }
    if let turn = play(method, .any, requests, now) { return found(turn, .anything) }
    throw contents.refusal(method.path, form?.resource, request: form?.canonical)
  }

  private mutating func play(
    _ method: Method, _ key: Key, _ requests: [[UInt8]], _ now: ContinuousClock.Instant
  ) -> Tape.Turn? {
    guard let place = places[method.number][key] else { return nil }
    guard clock != nil else { return tapes[place].play(for: requests, loops: loops) }
    guard let time = clock?.time(at: now, for: tapes[place]) else { return nil }
    return tapes[place].answer(at: time)
  }

  private static func form(_ method: String, _ requests: [[UInt8]]) -> RequestForm? {
    guard requests.count == 1 else { return nil }
    return RequestReader.form(method, requests[0])
  }
}
