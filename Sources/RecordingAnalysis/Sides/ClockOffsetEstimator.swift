import Recording
import Tripwire
import WireProtobuf

/// Estimates the offset of the client's clock from the calls of a client and of a server.
package final class ClockOffsetEstimator {
  private struct Call {
    let key: String
    let name: String
    let start: Double
    var received: Double?
    var location: VehicleLocation?
  }

  /// The last response with a resource.
  private struct Seen {
    var location: Double
    var sent: Double
  }

  private struct Answer {
    let sent: Double
    let received: Double
  }

  private let types: MessageTypes
  private var calls = OpenCalls<Call>()
  private var bounds: [ClockOffset.Bound] = []
  /// The last response of the client, by the name of the resource.
  private var seen: [String: Seen] = [:]
  /// The calls that the server answered, by method and resource, as each side has them.
  private var answers: [String: [Answer]] = [:]
  private var served: [String: [Double]] = [:]
  /// The first answers with a location, by the resource and the time of the location.
  private var firstAnswers: [String: [Double: Answer]] = [:]
  private var firstServed: [String: [Double: Double]] = [:]

  package init(_ types: MessageTypes) {
    self.types = types
  }

  package func add(_ entry: LoggedEntry) {
    let number = entry.call.number
    guard let time = entry.value.timestamp?.secondsSince1970, let path = entry.call.method else {
      return
    }
    switch (entry.value.type, entry.value.payload) {
    case (.clientMessage, _) where calls[number] == nil:
      guard let name = types.resource(of: entry) else { return }
      calls[number] = Call(key: path + " " + name, name: name, start: time)
    case (.serverMessage, .message(let message)) where calls[number] != nil && entry.isComplete:
      calls[number]?.received = time
      calls[number]?.location = RecordedResources.resource(in: message.data, of: path)?.lastLocation
    default: break
    }
    guard let call = calls.end(at: entry), entry.value.type == .serverTrailer,
      !entry.isLocalStatus
    else { return }
    if entry.value.logger == .server {
      serve(call, at: time)
    } else {
      answer(call, at: call.received ?? time)
    }
  }

  /// Nil if the calls do not limit the offset.
  package var offset: ClockOffset? {
    var bounds = bounds
    func add(_ answer: Answer, servedAt time: Double) {
      bounds.append(.init(least: time - answer.received, most: time - answer.sent))
    }
    for (key, answers) in answers {
      guard let served = served[key], served.count == answers.count else { continue }
      for (answer, time) in zip(answers, served) { add(answer, servedAt: time) }
    }
    for (name, answers) in firstAnswers {
      for (location, answer) in answers {
        if let time = firstServed[name]?[location] { add(answer, servedAt: time) }
      }
    }
    return ClockOffset(bounds)
  }

  private func serve(_ call: Call, at time: Double) {
    served[call.key, default: []].append(time)
    guard let location = call.location?.serverTime?.secondsSince1970,
      firstServed[call.name]?[location] == nil
    else { return }
    firstServed[call.name, default: [:]][location] = time
  }

  private func answer(_ call: Call, at time: Double) {
    let answer = Answer(sent: call.start, received: time)
    answers[call.key, default: []].append(answer)
    guard let location = call.location?.serverTime?.secondsSince1970 else { return }
    // The server has a location before the client receives it.
    bounds.append(.init(least: location - time))
    if let last = seen[call.name], location > last.location {
      // The response before did not have it.
      bounds.append(.init(most: location - last.sent))
      firstAnswers[call.name, default: [:]][location] = answer
    }
    if location >= seen[call.name]?.location ?? location {
      seen[call.name] = Seen(location: location, sent: call.start)
    }
  }
}
