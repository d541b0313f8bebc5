import CommandLine
import CommandShell
import RecordingAnalysis
import Tripwire

extension StaleCause {
  /// The cause in one sentence with its evidence, safe for a terminal.
  ///
  /// - Parameters:
  ///   - evidence: what both sides recorded.
  ///   - clock: formats a time.
  func text(_ evidence: TripEvidence, clock: (Double) -> String) -> String {
    let update = evidence.updateMethod
    switch self {
    case .nothingSent(let missing, let usual, let last, let error):
      let calls = Units.count(missing, "\(update) call")
      let end = error.map { " and ended with \($0.words)" } ?? ""
      let since = last.map { ", the last one was at \(clock($0))\(end)" } ?? ""
      return "the driver's app sent nothing: \(calls) missing (usual interval"
        + " \(Units.latency(seconds: usual))\(since))"
    case .updatesFailed(let failures):
      let verb = side == .server ? "failed on" : "refused"
      return "the server \(verb) the driver's updates: \(failures.words(update))"
    case .updatesDiscarded(let count, let reason):
      return "Fleet Engine discarded \(Units.count(count, "location")) of the driver's app: "
        + reason.words
    case .updatesRepeated(let count):
      return
        "the driver's app sent the same measured location in \(Units.count(count, "\(update) call"))"
    case .oldDeviceTime(let count, let seconds):
      return
        "the clock of the driver's device was set back: \(Units.count(count, "location")) measured up to"
        + " \(Units.latency(seconds: seconds)) before the location that Fleet Engine had"
    case .noLocationSent(let count):
      return "the driver's app sent no location in \(Units.count(count, "\(update) call"))"
    case .notAsked(let longest, let error):
      let time = Units.latency(seconds: longest) + (error.map { " after " + $0.words } ?? "")
      return evidence.hasClient
        ? "the client did not ask: no call for \(time); the app was\(error == nil ? "" : " backing off,") suspended or closed"
        : "no call of the client arrived for \(time); pass its recording to see why"
    case .tokenRefused(let failures):
      return "the client had no token that the server accepts: \(failures.words("call"))"
    case .pollsFailed(let failures):
      let subject = failures.first.isUnanswered ? "the client got no answer" : "the server failed"
      return "\(side == .client ? "the server refused the client's calls" : subject):"
        + " \(failures.words("call"))"
    case .slow(let longest):
      return "the server was slow: an answer took \(Units.latency(seconds: longest))"
    case .slowCall(let longest):
      return "the server or the network was slow: a call took \(Units.latency(seconds: longest)); "
        + (evidence.hasServer
          ? "the server's log does not have the answer" : "pass the server's log to see which")
    case .lateAnswer(let longest):
      return
        "an answer of the server arrived \(Units.latency(seconds: longest)) late: the network was slow, or the"
        + " app was suspended"
    case .oldAnswers(let count):
      return
        "the server repeated an old location in \(Units.count(count, "answer")), although it had a"
        + " newer one"
    case .noUpdatesKnown(let count):
      let answers = "the server had no newer location (\(Units.count(count, "answer")))"
      return evidence.hasServer
        ? answers + "; its log has no update of the vehicle"
        : answers
          + "; pass its log with --import-cloud-logging FILE or --cloud-logging PROJECT to see why"
    case .unexplained: return "no cause found"
    }
  }

  /// "; 3 GetTrip calls ended with UNAVAILABLE": the failures in the same span that the cause does not name.
  func textOfOthers(_ evidence: TripEvidence, in span: TripSpan) -> String {
    let polls = evidence.failedPolls(in: span).map {
      "; " + $0.words(lastSegment(of: evidence.kind.getPath) ?? "")
    }
    let updates = evidence.failedUpdates(in: span).map { "; " + $0.words(evidence.updateMethod) }
    let missing =
      evidence.lacksUpdates(in: span) ? "; no \(evidence.updateMethod) call arrived" : nil
    return switch self {
    case .nothingSent, .updatesFailed, .updatesDiscarded, .updatesRepeated, .oldDeviceTime,
      .noLocationSent:
      polls ?? ""
    case .pollsFailed: missing ?? updates ?? ""
    case .slow: (polls ?? "") + (missing ?? updates ?? "")
    default: ""
    }
  }
}

extension TripEvidence {
  /// The method by which the driver's app sends locations.
  fileprivate var updateMethod: String {
    [.trip, .vehicle].contains(kind) ? "UpdateVehicle" : "UpdateDeliveryVehicle"
  }
}

extension StaleCause.Failures {
  /// "3 calls ended with UNAVAILABLE (local): connection refused".
  fileprivate func words(_ noun: String) -> String {
    let noun = noun == "call" ? noun : noun + " call"
    let wait =
      longestWait > 0 && count > 1 ? ", up to \(Units.latency(seconds: longestWait)) apart," : ""
    return "\(Units.count(max(1, count), noun))\(wait) ended with \(first.words)"
  }
}

extension TripEvidence.Outcome {
  /// "UNAVAILABLE (local): connection refused".
  fileprivate var words: String {
    (code?.words(isLocal: isLocal) ?? "no status")
      + (message.isEmpty ? "" : ": " + shortened(message, to: 200))
  }
}

extension DiscardReason {
  var words: String {
    switch self {
    case .jump(let meters, let seconds):
      "\(Units.distance(meters: meters)) in \(Units.latency(seconds: seconds)) is too fast"
    case .older(let seconds):
      "measured \(Units.latency(seconds: seconds)) before the last accepted location"
    case .noPlace: "no valid latitude and longitude"
    case .unknown: "no reason seen"
    }
  }
}
