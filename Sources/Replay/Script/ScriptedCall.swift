import WireGRPC
import WireHTTP2
import WireProtobuf

/// A call of a script: what it answers, and how.
struct ScriptedCall: Equatable {
  enum Request: Equatable {
    case message([UInt8])
    case resource(String)
    case any
  }

  /// "/package.Service/Method"
  var method: String
  var request: Request
  var answer: Answer

  /// How many messages of a request it takes to know that it is meant.
  var cue: Int { request == .any ? 0 : 1 }

  init(_ call: Script.Call) throws(ScriptFlaw) {
    method = call.method
    guard Self.isPath(method) else {
      throw ScriptFlaw(
        reason:
          "expected a \"method\" such as \"/package.Service/Method\", found"
          + " \"\(method.shortened(to: 64))\""
      )
    }
    switch call.asked {
    case .request(let message): request = .message(message.value)
    case .requestBytes(let bytes): request = .message(bytes)
    case .resource(let name): request = .resource(name)
    case nil: request = .any
    }
    if case .resource = request, !RequestReader.paths.contains(method) {
      throw ScriptFlaw(
        reason: "\"resource\" is not supported for \(method.shortened(to: 64)): "
          + "use \"request\" or \"requestBytes\"")
    }
    var writer = AnswerWriter()
    for (index, step) in call.steps.enumerated() {
      do throws(ScriptFlaw) {
        try writer.add(step)
      } catch {
        throw ScriptFlaw(step: index, reason: error.reason)
      }
    }
    answer = Answer(steps: writer.steps)
  }

  private static func isPath(_ method: String) -> Bool {
    let parts = method.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 3 && parts[0].isEmpty && !parts[1].isEmpty && !parts[2].isEmpty
  }
}

/// Turns the steps of a script into those of an answer.
private struct AnswerWriter {
  private enum State {
    case before
    case inside
    case ended
  }

  private(set) var steps: [Answer.Step] = []
  private var state = State.before
  private var cue = Answer.wholeRequest

  mutating func add(_ step: Script.Step) throws(ScriptFlaw) {
    let delay = step.delay?.duration ?? .zero
    guard (.zero...Timeout.longest).contains(delay) else {
      throw ScriptFlaw(reason: "\"delay\" must be from 0s to 11,000 years")
    }
    if let after = step.after {
      guard after >= 0 else {
        throw ScriptFlaw(
          reason: "\"after\" is a number of client messages and must not be negative")
      }
      cue = Int(after)
    }
    let contents = try contents(step.action)
    steps.append(Answer.Step(content: contents[0], cue: cue, delay: delay))
    steps += contents.dropFirst().map { Answer.Step(content: $0, cue: cue) }
  }

  /// At least one.
  private mutating func contents(
    _ action: Script.Step.Action?
  ) throws(ScriptFlaw) -> [Answer.Step.Content] {
    switch action {
    case .headers(let headers):
      guard state == .before else {
        throw ScriptFlaw(
          reason:
            "\"headers\" must be the first step and occur once; use \"trailers\" to end a response")
      }
      let fields = try list(headers.headerFields())
      state = headers.endStream ? .ended : .inside
      return [headers.endStream ? .alone(fields) : .headers(fields)]
    case .message(let message):
      return try begin(message: try message.body())
    case .data(let data):
      let frames = try data.split.sizes()
      let contents = try begin(
        message: .data(data.bytes, frames: frames, endStream: data.endStream))
      if data.endStream { state = .ended }
      return contents
    case .trailers(let trailers):
      try checkOpen()
      defer { state = .ended }
      guard state == .before else { return [.trailers(try list(trailers.headerFields()))] }
      let beginning = trailers.raw ? [] : Answer.beginning
      return [.alone(try list(beginning + trailers.headerFields()))]
    case .reset(let code):
      try checkOpen()
      state = .ended
      return [.signal(.reset(code.http2))]
    case .goAway(let goAway): return [.signal(try goAway.signal())]
    case .ping: return [.signal(.ping)]
    case .frame(let frame): return [.signal(.frame(try frame.raw()))]
    case .close: return [.signal(.close)]
    case nil:
      throw ScriptFlaw(
        reason: "the step is empty: expected headers, message, data, trailers, reset, goAway, "
          + "ping, frame or close")
    }
  }

  /// Part of the body, behind headers.
  private mutating func begin(
    message content: Answer.Step.Content
  ) throws(ScriptFlaw) -> [Answer.Step.Content] {
    try checkOpen()
    defer { state = .inside }
    return state == .before ? [.headers(HeaderList(Answer.beginning)), content] : [content]
  }

  private func list(_ fields: [HeaderField]) throws(ScriptFlaw) -> HeaderList {
    let list = HeaderList(fields)
    if let excess = list.excess { throw ScriptFlaw(reason: excess) }
    return list
  }

  private func checkOpen() throws(ScriptFlaw) {
    guard state != .ended else {
      throw ScriptFlaw(
        reason: "the response has already ended: only goAway, ping, frame and close can follow")
    }
  }
}
