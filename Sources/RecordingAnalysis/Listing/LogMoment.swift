package import WireProtobuf

/// A time that may leave out its zone or its date.
package enum LogMoment: Equatable, Sendable {
  /// "2026-11-21T09:30:00Z"
  case instant(Timestamp)
  /// "2026-11-21 09:30", local; as if the text were in UTC.
  case local(Timestamp)
  /// "09:30", local: of the day on which the recording begins, counted from midnight.
  case timeOfDay(Timestamp)
  /// "10m" before now.
  case ago(Duration)

  /// Returns the time.
  ///
  /// - Parameters:
  ///   - zone: the time and the time zone of the user.
  ///   - start: when the recording begins.
  package func time(_ zone: LocalTime, ofRecordingFrom start: Timestamp) -> Timestamp {
    var time = Timestamp()
    switch self {
    case .instant(let instant):
      return instant
    case .ago(let duration):
      time.seconds = zone.now - duration.components.seconds
    case .local(let local):
      time = local
      time.seconds = zone.utc(ofLocal: local.seconds)
    case .timeOfDay(let ofDay):
      let local = start.seconds.addingReportingOverflow(Int64(zone.offset(start.seconds)))
        .partialValue
      let day = local.subtractingReportingOverflow((local % 86_400 + 86_400) % 86_400).partialValue
      time = ofDay
      time.seconds = zone.utc(ofLocal: day.addingReportingOverflow(ofDay.seconds).partialValue)
    }
    return time
  }
}

/// The present time and the time zone that local times are in.
package struct LocalTime: Sendable {
  /// Seconds since 1970-01-01T00:00:00Z.
  var now: Int64
  /// Returns the seconds to add to UTC at a moment.
  var offset: @Sendable (Int64) -> Int

  package init(now: Int64, offset: @escaping @Sendable (Int64) -> Int) {
    self.now = now
    self.offset = offset
  }

  /// Returns either time for a local time that occurs twice, and a nearby time for one that is skipped.
  fileprivate func utc(ofLocal seconds: Int64) -> Int64 {
    let guess = seconds.subtractingReportingOverflow(Int64(offset(seconds))).partialValue
    return seconds.subtractingReportingOverflow(Int64(offset(guess))).partialValue
  }
}
