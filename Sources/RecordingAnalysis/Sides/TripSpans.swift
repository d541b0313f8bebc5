import Tripwire
import WireSystem

/// Divides a trip into spans, and finds the cause of each in which the app had no new location.
package struct TripSpans {
  /// A location that the app showed.
  private struct Shown {
    let time: Double
    /// Nil if the app no longer had one.
    let location: LocationReport?
  }

  /// Locations of a vehicle that stands are this close to each other, in meters.
  private static let stillRadius = 30.0
  /// The largest ratio of a wait after an error to the one before or after it: twice, with a jitter of 20%.
  private static let backoffGrowth = 3.0
  /// The largest ratio of a wait to the one that the error asked for.
  private static let delayGrowth = 1.5
  /// A vehicle that leaves the circle later than this stands, in seconds.
  private static let leastStill = 30.0

  private let evidence: TripEvidence
  private let polls: [TripEvidence.Poll]
  package let updates: [SentLocation]
  /// The times of the accepted updates by their locations.
  private let accepted: LocationIndex<Double>
  private let slowAnswers: SlowAnswers
  /// Whether the server's log also has answers to other clients.
  private let othersAsk: Bool
  /// The longest call, in seconds.
  private let longestPoll: Double
  /// The usual time from one call to the next, and from one update to the next, in seconds.
  private let pollInterval: Double
  private let updateInterval: Double
  package private(set) var spans: [TripSpan] = []

  private var hasUpdates: Bool { !updates.isEmpty || !evidence.emptyUpdates.isEmpty }
  /// The larger of the two intervals, in seconds.
  private var interval: Double { max(pollInterval, updateInterval) }

  package init(_ evidence: TripEvidence) {
    self.evidence = evidence
    polls = evidence.clientCalls
    let updates = SentLocation.all(evidence.updates)
    self.updates = updates
    accepted = LocationIndex(acceptedIn: updates)
    longestPoll = polls.reduce(0) { max($0, $1.end - $1.start) }
    let shown = Self.shown(by: polls)
    pollInterval = usualInterval(polls.map(\.start))
    updateInterval = usualInterval(
      evidence.updates.isEmpty ? shown.map(\.time) : evidence.updates.map(\.time))
    let ends = (polls.first?.start ?? 0)...max(polls.first?.start ?? 0, polls.last?.end ?? 0)
    othersAsk = evidence.answers.count { ends ~= $0.end } > polls.count
    slowAnswers = SlowAnswers(
      evidence, interval: max(pollInterval, updateInterval), othersAsk: othersAsk)
    spans = divide(shown)
  }

  /// The locations that were new to the app.
  private static func shown(by polls: [TripEvidence.Poll]) -> [Shown] {
    var shown: [Shown] = []
    var newest: LocationReport?
    for poll in polls.sorted(by: { $0.end < $1.end }) where poll.outcome.code?.named == .ok {
      guard poll.hasVehicle else {
        if shown.last?.location != nil { shown.append(Shown(time: poll.end, location: nil)) }
        newest = nil
        continue
      }
      guard let location = poll.location else { continue }
      if let last = shown.last?.location, last.isSame(as: location) { continue }
      // A server that lags behind another one answers with earlier locations.
      guard newest.map({ !location.precedes($0) }) ?? true else { continue }
      newest = location
      shown.append(Shown(time: poll.end, location: location))
    }
    return shown
  }

  // MARK: Division

  private func divide(_ shown: [Shown]) -> [TripSpan] {
    let (start, end) = (evidence.start, evidence.end)
    let first = min(max(polls.first?.start ?? end, start), end)
    let last = max(first, min(polls.map(\.end).max() ?? end, end))
    var spans = SpanList()
    spans.add(first - start > 3 * interval ? .unwatched : .waiting, from: start, to: first)
    // The end is unwatched only after more than three intervals without a call, and without an error before.
    let isAbsent = end - last > 3 * interval && polls.last?.outcome.isFailure != true
    let watched = isAbsent ? last : end
    var from = min(max(shown.first?.time ?? watched, first), watched)
    spans.add(.waiting, from: first, to: from)
    for (index, one) in shown.enumerated() {
      let to = min(max(index + 1 < shown.count ? shown[index + 1].time : watched, from), watched)
      if let location = one.location, to - from > 3 * interval {
        for part in causes(of: location, from: from, to: to) { spans.add(part) }
      } else {
        spans.add(one.location == nil ? .waiting : .current, from: from, to: to)
      }
      from = to
    }
    spans.add(.unwatched, from: watched, to: end)
    return spans.marked(still: stillRanges(shown, until: watched))
  }

  /// The times in which all new locations were at one place for long.
  private func stillRanges(_ shown: [Shown], until end: Double) -> [ClosedRange<Double>] {
    var ranges: [ClosedRange<Double>] = []
    var first = 0
    for index in shown.indices {
      let next = index + 1 < shown.count ? shown[index + 1] : nil
      if let next, let place = shown[first].location?.place, let other = next.location?.place,
        distance(place, other) <= Self.stillRadius
      {
        continue
      }
      let (from, to) = (shown[first].time, next?.time ?? end)
      let last = min(shown[index].time, to)
      // Silence after the last location is not a stop.
      if last - from > max(3 * interval, Self.leastStill) {
        ranges.append(from...(to - last > 3 * interval ? last : to))
      }
      first = index + 1
    }
    return ranges
  }

  // MARK: Causes

  // Until the server accepts a newer location, the cause is in the driver's calls, and afterwards in the client's:
  //
  // driver's calls                                     | cause
  // ---------------------------------------------------|---------------------------------
  // none for more than three intervals, not as backoff | nothingSent
  //   but the client's calls failed in this time       | that of the client's calls
  // failed                                             | updatesFailed
  // answered with the location before                  | updatesDiscarded
  // with the location that the server had, or none     | updatesRepeated, noLocationSent
  // with a location that was measured before           | oldDeviceTime
  // took long                                          | slow
  //
  // client's calls                                     | cause
  // ---------------------------------------------------|---------------------------------
  // none for more than three intervals, not as backoff | notAsked
  // failed for the token, until the next one           | tokenRefused
  // failed or had no end, until the next one           | pollsFailed
  //   but the server took most of the time             | slow
  // took longer than an interval                       | slow
  //   but the answer left an interval before           | lateAnswer
  //   but the server's log does not have the answer    | slowCall
  // answered with the location, or an earlier one      | oldAnswers, noUpdatesKnown

  /// The causes for which the app showed one location from `start` to `end`.
  private func causes(
    of location: LocationReport, from start: Double, to end: Double
  ) -> [TripSpan] {
    let known =
      accepted[location].first { $0 <= end }
      ?? location.serverTime?.secondsSince1970 ?? start
    let later = updates(after: known, to: end)
    let next = later.first {
      $0.isAccepted && !$0.location.isSame(as: location) && !$0.location.precedes(location)
    }?.update
    // Without the updates, all is explained from the calls of the client.
    let sending = hasUpdates ? min(max(next?.time ?? end, start), end) : start
    let arrival = min(max(next?.end ?? sending, sending), end)
    var parts = SpanList()
    if arrival > start {
      addDriverCauses(
        later.filter { $0.update.time < sending }, after: location, since: min(known, start),
        to: sending, &parts)
      let isSlow = arrival - sending > interval
      parts.add(
        isSlow ? .stale(.slow(longest: arrival - sending)) : .current, from: sending, to: arrival)
      parts = parts.from(start)
    }
    addClientCauses(of: location, from: arrival, to: end, &parts)
    return parts.absorbed(shorterThan: 2 * interval).map { span in
      var span = span
      if span.state == .current { span.state = .stale(.unexplained) }
      return span
    }
  }

  /// The updates after a time, up to another.
  private func updates(after start: Double, to end: Double) -> ArraySlice<SentLocation> {
    let first = updates.partitioningIndex { $0.update.time > start }
    return updates[first..<max(first, updates.partitioningIndex { $0.update.time > end })]
  }

  /// Adds the parts of the time from the last accepted update to the next one.
  private func addDriverCauses(
    _ missed: [SentLocation], after location: LocationReport, since start: Double, to end: Double,
    _ parts: inout SpanList
  ) {
    let empty = evidence.emptyUpdates[
      evidence.emptyUpdates.partitioningIndex { $0 > start }...
    ].prefix { $0 < end }
    let calls = DriverCall.all(missed, empty, after: location, since: start)
    var from = start
    // First the wait after the accepted update, which explains nothing itself.
    for (index, next) in zip((-1)..., calls.map(\.start) + [end]) {
      let call = index < 0 ? nil : calls[index]
      let time = call?.end ?? start
      let wait = next - time
      let isPause =
        wait > 3 * updateInterval
        && !isBackoff(wait, after: index) { index in
          guard calls.indices ~= index, let failure = calls[index].failure else { return nil }
          return (
            failure, (index + 1 < calls.count ? calls[index + 1].start : end) - calls[index].end
          )
        }
      if let call {
        let to = isPause ? time + updateInterval : next
        let isUsual = isPause || wait <= updateInterval
        parts.add(.stale(call.cause(wait: isUsual ? 0 : wait)), from: from, to: to)
        from = to
      }
      if isPause {
        addSilence(after: call, at: time, from: from, to: next, showing: location, &parts)
        from = next
      }
    }
    parts.add(.current, from: from, to: end)
  }

  /// Adds the parts of a time without a call of the driver's app.
  ///
  /// - Parameters:
  ///   - call: the one before; nil for an accepted update.
  ///   - last: when that one ended.
  private func addSilence(
    after call: DriverCall?, at last: Double, from start: Double, to end: Double,
    showing location: LocationReport, _ parts: inout SpanList
  ) {
    var from = start
    let outage = ServerOutage(
      in: polls, evidence.answers, during: last..<end, noticedWithin: 3 * interval)
    if let outage {
      // After it, the driver's app has to wait, too.
      let rest = max(3 * updateInterval, outage.longestWait)
      let over = end - outage.end > rest ? max(from, outage.end) : end
      let noticed = max(from, outage.start)
      parts.add(.current, from: from, to: noticed)
      addClientCauses(of: location, from: noticed, to: over, &parts)
      from = over
    }
    let wait = outage == nil ? end - last : end - from
    let count = Int(exactly: (wait / updateInterval).rounded()) ?? .max
    parts.add(
      .stale(
        .nothingSent(
          missing: max(1, count - 1), usual: updateInterval, last: last, error: call?.failure)),
      from: from, to: end)
  }

  /// Whether the wait after a call is one that its error asks for, or grows from one error to the next.
  ///
  /// - Parameter failure: returns the error of a call and the wait after it, if they are known; nil for a call that
  ///   succeeded, or does not exist.
  private func isBackoff(
    _ wait: Double, after index: Int,
    _ failure: (Int) -> (outcome: TripEvidence.Outcome, wait: Double?)?
  ) -> Bool {
    guard let outcome = failure(index)?.outcome else { return false }
    let others = [index - 1, index + 1].compactMap { failure($0)?.wait }
    return wait
      <= max(Self.backoffGrowth * (others.max() ?? 0), Self.delayGrowth * (outcome.retryDelay ?? 0))
  }

  /// Adds the parts in which the server had a newer location. `.current` is a part without a cause.
  private func addClientCauses(
    of location: LocationReport, from start: Double, to end: Double, _ parts: inout SpanList
  ) {
    // The calls are in the order of their starts. The time begins in the wait after the last one before.
    let begun = polls[..<polls.partitioningIndex { $0.start >= end }]
    let first = polls.partitioningIndex { $0.start > start - longestPoll }
    let calls =
      [begun.lastIndex { $0.end <= start }].compactMap(\.self)
      + begun.indices.dropFirst(first).filter { polls[$0].end > start }
    var cursor = start
    for (index, next) in zip(calls, calls.dropFirst().map { polls[$0].start } + [end]) {
      let poll = polls[index]
      let wait = max(0, next - poll.end)
      let state = state(during: poll, showing: location, newerSince: start, wait: wait)
      guard isSilent(wait, after: index) else {
        parts.add(state, from: cursor, to: min(next, end))
        cursor = max(cursor, min(next, end))
        continue
      }
      let silence = max(cursor, poll.end)
      parts.add(state, from: cursor, to: silence)
      let error = poll.outcome.isFailure ? poll.outcome : nil
      parts.add(.stale(.notAsked(longest: wait, after: error)), from: silence, to: next)
      cursor = max(cursor, next)
    }
    parts.add(.current, from: cursor, to: end)
  }

  /// Whether a wait after a call is longer than usual. After an error, waits may grow (backoff).
  private func isSilent(_ wait: Double, after index: Int) -> Bool {
    guard wait > 3 * pollInterval, !polls[index].outcome.isOfToken else { return false }
    return !isBackoff(wait, after: index) { index in
      guard polls.indices ~= index, polls[index].outcome.isFailure else { return nil }
      let next = index + 1
      return (
        polls[index].outcome, next < polls.count ? polls[next].start - polls[index].end : nil
      )
    }
  }

  /// What a call and a wait of the usual length after it show.
  private func state(
    during poll: TripEvidence.Poll, showing location: LocationReport, newerSince time: Double,
    wait: Double
  ) -> TripSpan.State {
    let seconds = poll.end - poll.start
    if poll.outcome.isFailure || poll.outcome.code == nil && seconds > interval {
      if let seconds = slowAnswers[poll] { return .stale(.slow(longest: seconds)) }
      var outcome = poll.outcome
      // The client says so of a lost connection, too. The server has answered.
      if outcome.code == .unavailable, !othersAsk, answer(to: poll)?.outcome.code == .ok {
        outcome.isLocal = true
      }
      let failures = StaleCause.Failures(
        count: poll.end > time ? 1 : 0, first: outcome, longestWait: wait)
      return .stale(poll.outcome.isOfToken ? .tokenRefused(failures) : .pollsFailed(failures))
    }
    guard poll.end > time else { return .current }
    if seconds > interval {
      // The log of the server alone has how long the server took.
      guard let sent = evidence.polls.isEmpty ? poll.end : answer(to: poll)?.end else {
        return .stale(.slowCall(longest: seconds))
      }
      let delay = poll.end - sent
      return .stale(delay > interval ? .lateAnswer(longest: delay) : .slow(longest: seconds))
    }
    guard poll.outcome.code?.named == .ok, let answer = poll.location,
      answer.isSame(as: location) || answer.precedes(location)
    else { return .current }
    if isLater(answer, than: location) {
      return .stale(.oldDeviceTime(count: 1, seconds: answer.seconds(before: location)))
    }
    if !hasUpdates { return .stale(.noUpdatesKnown(answers: 1)) }
    return poll.start > time ? .stale(.oldAnswers(count: 1)) : .current
  }

  /// Whether the server got a location after another one that was measured later.
  private func isLater(_ location: LocationReport, than other: LocationReport) -> Bool {
    guard location.precedes(other),
      let time = location.serverTime?.secondsSince1970 ?? accepted[location].last,
      let otherTime = other.serverTime?.secondsSince1970 ?? accepted[other].first
    else { return false }
    return time > otherTime
  }

  /// The answer of the server that the client got, if its log has it besides the client's recording.
  private func answer(to poll: TripEvidence.Poll) -> TripEvidence.Poll? {
    guard !evidence.polls.isEmpty else { return nil }
    let answers = evidence.answers
    let first = answers.partitioningIndex { $0.end >= poll.start }
    return answers[first..<max(first, answers.partitioningIndex { $0.end > poll.end })].last {
      // Other clients got other ones.
      guard !poll.outcome.isFailure, let location = $0.location, let shown = poll.location else {
        return true
      }
      return location.isSame(as: shown)
    }
  }
}

extension LocationIndex<Double> {
  fileprivate init(acceptedIn updates: [SentLocation]) {
    self.init()
    for sent in updates where sent.isAccepted { add(sent.update.time, at: sent.location) }
  }
}
