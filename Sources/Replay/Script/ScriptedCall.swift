import WireGRPC
import WireGRPCServer
import WireHTTP2
import WireProtobuf

/// A call of a script: the requests that it answers, and the response.
struct ScriptedCall: Equatable {
  enum Request: Equatable {
    case message([UInt8])
    case resource(String)
    case any
  }

  /// "/package.Service/Method"
  var method: String
  var request: Request
  var response: TimedResponse

  /// The number of messages that are needed to recognize a request.
  var requiredMessages: Int { request == .any ? 0 : 1 }

  init(_ call: Script.Call) throws(InvalidStep) {
    method = call.method
    guard Self.isPath(method) else {
      throw InvalidStep(
        "method",
        "expected a method such as \"/package.Service/Method\", found"
          + " \"\(method.shortened(to: 64))\"")
    }
    switch call.match {
    case .request(let message): request = .message(message.value)
    case .requestBytes(let bytes): request = .message(bytes)
    case .resource(let name): request = .resource(name)
    case nil: request = .any
    }
    if case .resource = request, RequestReader.all[method] == nil {
      throw InvalidStep(
        "resource", "not supported for \(method.shortened(to: 64))",
        hint: "use \"request\" or \"requestBytes\"")
    }
    if case .resource(let name) = request, !Self.isName(name) {
      throw InvalidStep(
        "resource",
        "expected a name such as \"providers/p/trips/t1\" or \"trips/t1\", found"
          + " \"\(name.shortened(to: 64))\"")
    }
    var writer = ResponseWriter()
    for (index, step) in call.steps.enumerated() {
      try mapError(writer.add(step)) { (error: InvalidStep) in
        var error = error
        error.step = index
        return error
      }
    }
    response = TimedResponse(steps: writer.steps)
  }

  private static func isName(_ text: String) -> Bool {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count > 1 && !parts.contains("")
  }

  private static func isPath(_ method: String) -> Bool {
    let parts = method.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 3 && parts[0].isEmpty && !parts[1].isEmpty && !parts[2].isEmpty
  }
}

/// Turns the steps of a script into those of a response.
private struct ResponseWriter {
  private enum State {
    case before
    case inside
    case ended
  }

  private(set) var steps: [TimedResponse.Step] = []
  private var state = State.before
  private var requiredMessages = TimedResponse.wholeRequest

  mutating func add(_ step: Script.Step) throws(InvalidStep) {
    let delay = step.delay?.duration ?? .zero
    guard (.zero...Timeout.longest).contains(delay) else {
      throw InvalidStep("delay", "must not be negative")
    }
    if let after = step.after {
      guard after >= 0 else {
        throw InvalidStep("after", "must not be negative")
      }
      requiredMessages = Int(after)
    }
    let actions = try actions(step.action)
    steps.append(
      TimedResponse.Step(action: actions[0], requiredMessages: requiredMessages, delay: delay))
    steps += actions.dropFirst().map {
      TimedResponse.Step(action: $0, requiredMessages: requiredMessages)
    }
  }

  /// At least one.
  private mutating func actions(
    _ action: Script.Step.Action?
  ) throws(InvalidStep) -> [ResponseAction] {
    switch action {
    case .headers(let headers):
      guard state == .before else {
        throw InvalidStep(
          nil, "\"headers\" must be the first step and occur once",
          hint: "use \"trailers\" to end a response")
      }
      let fields = try list(headers.headerFields())
      state = headers.endStream ? .ended : .inside
      return [headers.endStream ? .trailersOnly(fields) : .headers(fields)]
    case .message(let message):
      return try begin(message: try message.body())
    case .data(let data):
      let frames = try data.split.sizes(of: "data")
      let actions = try begin(
        message: .data(data.bytes, frames: frames, endStream: data.endStream))
      if data.endStream { state = .ended }
      return actions
    case .trailers(let trailers):
      try checkOpen()
      defer { state = .ended }
      guard state == .before else { return [.trailers(try list(trailers.headerFields()))] }
      let beginning = trailers.raw ? [] : ResponseHeaders.common
      return [.trailersOnly(try list(beginning + trailers.headerFields()))]
    case .reset(let code):
      try checkOpen()
      state = .ended
      return [.control(.reset(code.http2))]
    case .goAway(let goAway): return [.control(try goAway.action())]
    case .ping: return [.control(.ping)]
    case .frame(let frame): return [.control(.frame(try frame.raw()))]
    case .close: return [.control(.close)]
    case nil:
      throw InvalidStep(
        nil,
        "the step is empty: expected headers, message, data, trailers, reset, goAway, "
          + "ping, frame or close")
    }
  }

  /// A part of the body, after headers.
  private mutating func begin(
    message action: ResponseAction
  ) throws(InvalidStep) -> [ResponseAction] {
    try checkOpen()
    defer { state = .inside }
    return state == .before ? [.headers(HeaderList(ResponseHeaders.common)), action] : [action]
  }

  private func list(_ fields: [HeaderField]) throws(InvalidStep) -> HeaderList {
    let list = HeaderList(fields)
    if let excess = list.excess { throw InvalidStep(nil, excess) }
    return list
  }

  private func checkOpen() throws(InvalidStep) {
    guard state != .ended else {
      throw InvalidStep(
        nil, "the response has already ended: only goAway, ping, frame and close can follow")
    }
  }
}
