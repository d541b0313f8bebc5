import Recording
import Tripwire
import WireGRPC
import WireProtobuf

/// Estimates the clock of the client from the calls of a client and of a server.
package final class ClockOffsetEstimator {
  private struct Call {
    let key: String
    let name: String
    let start: Double
    var received: Double?
    var hasDate = false
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
    /// The number of the client's entry at its end.
    let entry: Int
  }

  private let types: MessageTypes
  private var calls = OpenCalls<Call>()
  private var observations: [ClientClock.Observation] = []
  /// The number of entries of the client, and the time of the last one.
  private var entryCount = 0
  private var lastTime: Double?
  private var steps: [ClientClock.Step] = []
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
    let time = entry.value.timestamp?.secondsSince1970
    if entry.value.logger != .server { count(entryAt: time) }
    guard let time, let path = entry.call.method else { return }
    switch (entry.value.type, entry.value.payload) {
    case (.clientMessage, _) where calls[number] == nil:
      guard let name = types.resource(of: entry) else { return }
      calls[number] = Call(key: path + " " + name, name: name, start: time)
    case (.serverMessage, .message(let message)) where calls[number] != nil && entry.isComplete:
      calls[number]?.received = time
      calls[number]?.location = RecordedResources.resource(in: message.data, of: path)?.lastLocation
    case (_, .serverHeader(let header)): note(header.metadata, of: entry, at: time)
    case (_, .trailer(let trailer)): note(trailer.metadata, of: entry, at: time)
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

  package var clock: ClientClock {
    var observations = observations
    func add(_ answer: Answer, servedAt time: Double) {
      observations.append(
        .init(
          entry: answer.entry, time: answer.received,
          bound: .init(least: time - answer.received, most: time - answer.sent)))
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
    return ClientClock(observations.sorted { $0.entry < $1.entry }, steps)
  }

  private func count(entryAt time: Double?) {
    defer { entryCount += 1 }
    guard let time else { return }
    if let lastTime, (time - lastTime).magnitude > ClientClock.tolerance {
      steps.append(.init(entry: entryCount, time: time, seconds: time - lastTime))
      // The clock was set back: requests before have no time by it.
      if time < lastTime { seen = [:] }
    }
    lastTime = time
  }

  /// Notes the header `date`, which the server sent during the call. It has whole seconds.
  private func note(_ metadata: BinlogMetadata?, of entry: LoggedEntry, at time: Double) {
    guard entry.value.logger != .server, let call = calls[entry.call.number], !call.hasDate,
      let header = metadata?.entry.first(where: { $0.key.lowercased() == "date" }),
      let date = HTTPDate.seconds(String(decoding: header.value, as: UTF8.self))
    else { return }
    calls[entry.call.number]?.hasDate = true
    observe(at: time, least: Double(date) - time, most: Double(date) + 1 - call.start)
  }

  private func observe(at time: Double, least: Double? = nil, most: Double? = nil) {
    observations.append(
      .init(entry: entryCount - 1, time: time, bound: .init(least: least, most: most)))
  }

  private func serve(_ call: Call, at time: Double) {
    served[call.key, default: []].append(time)
    guard let location = call.location?.serverTime?.secondsSince1970,
      firstServed[call.name]?[location] == nil
    else { return }
    firstServed[call.name, default: [:]][location] = time
  }

  private func answer(_ call: Call, at time: Double) {
    let answer = Answer(sent: call.start, received: time, entry: entryCount - 1)
    answers[call.key, default: []].append(answer)
    guard let location = call.location?.serverTime?.secondsSince1970 else { return }
    // The server has a location before the client receives it.
    observe(at: time, least: location - time)
    if let last = seen[call.name], location > last.location {
      // The response before did not have it.
      observe(at: time, most: location - last.sent)
      firstAnswers[call.name, default: [:]][location] = answer
    }
    if location >= seen[call.name]?.location ?? location {
      seen[call.name] = Seen(location: location, sent: call.start)
    }
  }
}
