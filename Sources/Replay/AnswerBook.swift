import Recording
import WireGRPC

/// The recorded calls, and which of them answers a request.
///
/// A request is looked up by its exact bytes, then by what it asks for (``RequestForm``), then by
/// the name of the resource alone. Calls recorded for the same request are played in order, and
/// the last of them again and again.
struct AnswerBook {
  /// What calls are looked up by, under a method.
  private enum Key: Hashable {
    case exact(String, [[UInt8]])
    case canonical(String, [UInt8])
    case resource(String, String)
  }

  /// The answers for one key, at least one, and which is next.
  private struct Tape {
    var answers: [Answer]
    var next = 0

    mutating func play() -> Answer {
      defer { next = min(next + 1, answers.count - 1) }
      return answers[next]
    }
  }

  private var tapes: [Key: Tape] = [:]
  private var contents = Contents()

  /// How many calls can be replayed.
  private(set) var count = 0
  /// Which calls can not, and why.
  private(set) var omissions: [String] = []

  init(_ calls: [RecordedCall]) {
    for call in calls {
      do throws(Answer.Flaw) {
        add(call, try Answer(call))
        count += 1
      } catch {
        let omission = "call \(call.id) of \(call.method) can not be replayed: \(error)"
        omissions.append(omission)
        // Whoever asks for this very call is told, rather than given another's answer.
        if error == .truncatedAnswer { add(call, Answer(Refusal(.dataLoss, omission))) }
      }
    }
  }

  private mutating func add(_ call: RecordedCall, _ answer: Answer) {
    let requests = call.requests.map(\.bytes)
    let form = Self.form(call.method, requests)
    for key in Self.keys(call.method, requests, form) {
      tapes[key, default: Tape(answers: [])].answers.append(answer)
    }
    contents.add(call.method, form?.resource)
  }

  /// Lets through a method that was recorded: one that was not is refused before its request has
  /// ended, which a stream's, such as reflection's, may never do.
  func check(method: String) throws(Refusal) {
    guard contents.has(method: method) else { throw contents.refusal(method, nil) }
  }

  /// The answer to the messages of a request, or why there is none.
  mutating func answer(to method: String, _ requests: [[UInt8]]) throws(Refusal) -> Answer {
    let form = Self.form(method, requests)
    for key in Self.keys(method, requests, form) {
      if let answer = tapes[key]?.play() { return answer }
    }
    throw contents.refusal(method, form?.resource)
  }

  /// From the most to the least exact.
  private static func keys(
    _ method: String, _ requests: [[UInt8]], _ form: RequestForm?
  ) -> [Key] {
    var keys = [Key.exact(method, requests)]
    if let form {
      keys.append(.canonical(method, form.canonical))
      if !form.resource.isEmpty { keys.append(.resource(method, form.resource)) }
    }
    return keys
  }

  private static func form(_ method: String, _ requests: [[UInt8]]) -> RequestForm? {
    guard requests.count == 1 else { return nil }
    return RequestReader.form(method, requests[0])
  }
}
