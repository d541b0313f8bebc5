import Tripwire

/// Divides a trip into spans, and finds the cause of each in which the app had no new location.
package struct TripSpans {
  /// A location that the app showed.
  private struct Shown {
    let time: Double
    let location: VehicleLocation
  }

  /// Locations of a vehicle that stands are this close to each other, in meters.
  private static let stillRadius = 30.0

  private let evidence: TripEvidence
  private let polls: [TripEvidence.Poll]
  private let updates: [SentLocation]
  /// The times of the accepted updates by their locations.
  private let accepted: LocationIndex<Double>
  /// The longest call, in seconds.
  private let longestPoll: Double
  /// The usual time from one call to the next, and from one update to the next, in seconds.
  private let pollInterval: Double
  private let updateInterval: Double
  package private(set) var spans: [TripSpan] = []

  /// The larger of the two intervals, in seconds.
  private var interval: Double { max(pollInterval, updateInterval) }

  package init(_ evidence: TripEvidence) {
    self.evidence = evidence
    // Without the client's recording, the server's log has those of its calls that arrived.
    polls = evidence.polls.isEmpty ? evidence.answers : evidence.polls
    let updates = SentLocation.all(evidence.updates)
    self.updates = updates
    accepted = LocationIndex(acceptedIn: updates)
    longestPoll = polls.reduce(0) { max($0, $1.end - $1.start) }
    let shown = Self.shown(by: polls)
    pollInterval = usualInterval(polls.map(\.start))
    updateInterval = usualInterval(
      evidence.updates.isEmpty ? shown.map(\.time) : evidence.updates.map(\.time))
    spans = divide(shown)
  }

  /// The locations that were new to the app.
  private static func shown(by polls: [TripEvidence.Poll]) -> [Shown] {
    var shown: [Shown] = []
    for poll in polls.sorted(by: { $0.end < $1.end }) where poll.outcome.code?.named == .ok {
      guard let location = poll.location else { continue }
      if let last = shown.last?.location, last.isSame(as: location) { continue }
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
    // A client that asks no more is only absent if it would have asked.
    let watched = end - last > 3 * interval ? last : end
    var from = first
    spans.add(.waiting, from: from, to: min(shown.first?.time ?? watched, watched))
    from = min(shown.first?.time ?? watched, watched)
    for (index, one) in shown.enumerated() {
      let to = min(index + 1 < shown.count ? shown[index + 1].time : watched, watched)
      if to - from > 3 * interval {
        for part in causes(of: one.location, from: from, to: to) { spans.add(part) }
      } else {
        spans.add(.current, from: from, to: to)
      }
      from = max(from, to)
    }
    spans.add(.unwatched, from: watched, to: end)
    return spans.marked(still: stillRanges(shown, until: watched))
  }

  /// The times in which all new locations were at one place, if that is longer than three intervals.
  private func stillRanges(_ shown: [Shown], until end: Double) -> [ClosedRange<Double>] {
    var ranges: [ClosedRange<Double>] = []
    var first = 0
    for index in shown.indices {
      let next = index + 1 < shown.count ? shown[index + 1] : nil
      if let next, let place = shown[first].location.place, let other = next.location.place,
        distance(place, other) <= Self.stillRadius
      {
        continue
      }
      let (from, to) = (shown[first].time, next?.time ?? end)
      if index > first, to - from > 3 * interval { ranges.append(from...to) }
      first = index + 1
    }
    return ranges
  }

  // MARK: Causes

  /// The causes for which the app showed one location from `start` to `end`.
  private func causes(
    of location: VehicleLocation, from start: Double, to end: Double
  ) -> [TripSpan] {
    let known =
      accepted[location].last { $0 <= end }
      ?? location.serverTime?.secondsSince1970 ?? start
    let later = updates(after: known, to: end).filter {
      !$0.isAccepted || !$0.location.isSame(as: location)
    }
    let next = later.first { $0.isAccepted }?.update.time
    // Without the updates, all is explained from the calls of the client.
    let arrival = updates.isEmpty ? start : min(max(next ?? end, start), end)
    var parts = SpanList()
    if arrival > start {
      let missed = later.filter { $0.update.time <= arrival && !$0.isAccepted }
      parts.add(.stale(driverCause(missed, since: known, until: arrival)), from: start, to: arrival)
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

  private func driverCause(
    _ missed: [SentLocation], since last: Double, until end: Double
  ) -> StaleCause {
    let failed = missed.filter { $0.result == .failed }
    let reasons = missed.compactMap { sent in
      if case .discarded(let reason) = sent.result { reason } else { nil }
    }
    if let first = failed.first, failed.count >= reasons.count {
      return .updatesFailed(.init(count: failed.count, first: first.update.outcome))
    }
    if let reason = reasons.first(where: { $0 != .unknown }) ?? reasons.first {
      return .updatesDiscarded(count: reasons.count, reason)
    }
    let count = Int(exactly: ((end - last) / updateInterval).rounded()) ?? .max
    let missing = max(1, count - 1)
    return .nothingSent(
      missing: missing, usual: updateInterval,
      last: updates[..<updates.partitioningIndex { $0.update.time >= end }].last?.update.time)
  }

  /// Adds the parts in which the server had a newer location. `.current` is a part without a cause.
  private func addClientCauses(
    of location: VehicleLocation, from start: Double, to end: Double, _ parts: inout SpanList
  ) {
    var cursor = start
    // The calls are in the order of their starts.
    let first = polls.partitioningIndex { $0.start > start - longestPoll }
    let begun = polls[..<polls.partitioningIndex { $0.start >= end }]
    var last = begun.last { $0.end <= start }
    for poll in begun.dropFirst(first) where poll.end > start {
      if poll.start > cursor {
        parts.add(pause(after: last, until: poll.start), from: cursor, to: poll.start)
      }
      let to = min(poll.end, end)
      let state = state(during: poll, showing: location, newerSince: start)
      parts.add(state, from: max(cursor, poll.start), to: to)
      cursor = max(cursor, to)
      last = poll
    }
    parts.add(pause(after: last, until: end), from: cursor, to: end)
  }

  private func pause(after poll: TripEvidence.Poll?, until end: Double) -> TripSpan.State {
    guard let poll else { return .current }
    let seconds = end - poll.end
    if let cause = failure(poll, wait: seconds) { return .stale(cause) }
    return seconds > 3 * pollInterval ? .stale(.notAsked(longest: seconds)) : .current
  }

  private func failure(_ poll: TripEvidence.Poll, wait: Double = 0) -> StaleCause? {
    guard poll.outcome.isFailure else { return nil }
    let failures = StaleCause.Failures(
      count: wait == 0 ? 1 : 0, first: poll.outcome, longestWait: wait)
    return poll.outcome.isOfToken ? .tokenRefused(failures) : .pollsFailed(failures)
  }

  private func state(
    during poll: TripEvidence.Poll, showing location: VehicleLocation, newerSince time: Double
  ) -> TripSpan.State {
    if let cause = failure(poll) { return .stale(cause) }
    if poll.end - poll.start > interval {
      // Only the server's log has the time of its answer.
      let answer = evidence.answers[
        ..<evidence.answers.partitioningIndex { $0.end > poll.end }
      ].last
      if !evidence.polls.isEmpty, let answer, answer.end >= poll.start,
        poll.end - answer.end > interval
      {
        return .stale(.lateAnswer(longest: poll.end - answer.end))
      }
      return .stale(.slow(longest: poll.end - poll.start))
    }
    guard poll.outcome.code?.named == .ok, poll.location?.isSame(as: location) == true else {
      return .current
    }
    if updates.isEmpty { return .stale(.noUpdatesKnown(answers: 1)) }
    return poll.start > time ? .stale(.oldAnswers(count: 1)) : .current
  }
}

extension LocationIndex<Double> {
  fileprivate init(acceptedIn updates: [SentLocation]) {
    self.init()
    for sent in updates where sent.isAccepted { add(sent.update.time, at: sent.location) }
  }
}

extension Array {
  /// Returns the index of the first element for which the condition holds, which then holds for all later ones.
  fileprivate func partitioningIndex(where condition: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if condition(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
