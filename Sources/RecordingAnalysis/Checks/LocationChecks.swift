import Tripwire
import WireProtobuf

/// Checks the places, times, accuracy and source of a vehicle's locations.
struct LocationChecks: ~Copyable {
  /// Shorter distances are within the errors of two locations. In meters.
  private static let shortestJump = 100.0
  /// Faster than vehicles on roads. In meters per second; 250 km/h.
  private static let highestSpeed = 250 / 3.6
  /// The error of a location between high buildings. In meters.
  private static let dwellRadius = 30.0
  /// Longer than a red light.
  private static let shortestDwell = Duration.seconds(120)
  /// With a larger error a vehicle is drawn on another street. In meters.
  private static let accuracyLimit = 50.0

  private struct Dwell {
    /// The first location; the others are near it.
    let place: LatLng
    let start: Timestamp
    var last: Timestamp
  }

  private struct Inaccuracy {
    let start: Timestamp
    var worst: Double
    var sensor: LocationSensor
  }

  private var last: (location: VehicleLocation, time: Timestamp)?
  private var dwell: Dwell?
  private var inaccuracy: Inaccuracy?
  private var sensor = LocationSensor.unknownSensor

  /// - Parameters:
  ///   - location: one that differs from the last.
  ///   - time: when it was received.
  mutating func receive(_ location: VehicleLocation, at time: Timestamp)
    -> [RecordingCheck.Finding]
  {
    var findings = steps(to: location, at: time)
    if let place = location.place { findings += stay(at: place, at: time) }
    findings += quality(of: location, at: time)
    last = (location, time)
    return findings
  }

  /// The findings that last until the end of the recording, or until the vehicle changes.
  func end() -> [RecordingCheck.Finding] {
    var findings = dwellFindings
    if let inaccuracy, let last { findings.append(finding(inaccuracy, until: last.time)) }
    return findings
  }

  /// Jumps in space and in time.
  private func steps(
    to location: VehicleLocation, at time: Timestamp
  ) -> [RecordingCheck.Finding] {
    guard let last else { return [] }
    var findings: [RecordingCheck.Finding] = []
    let times: [(RecordingCheck.TimeSource, Timestamp?, Timestamp?)] = [
      (.vehicle, last.location.measuredTime, location.measuredTime),
      (.server, last.location.serverTime, location.serverTime),
    ]
    for case (let source, let old?, let new?) in times where new < old {
      findings.append(.backwards(source, from: old, to: new, at: time))
    }
    guard let old = last.location.place, let new = location.place else { return findings }
    let elapsed =
      if let old = last.location.measuredTime, let new = location.measuredTime {
        difference(from: old, to: new)
      } else {
        difference(from: last.time, to: time)
      }
    let meters = distance(old, new)
    let seconds = elapsed / .seconds(1)
    if seconds >= 0, meters >= Self.shortestJump, meters > Self.highestSpeed * seconds {
      findings.append(
        RecordingCheck.Finding(
          time: last.time, until: time, detail: .jump(meters: meters, seconds: seconds)))
    }
    return findings
  }

  private mutating func stay(at place: LatLng, at time: Timestamp) -> [RecordingCheck.Finding] {
    if let dwell, distance(dwell.place, place) <= Self.dwellRadius {
      self.dwell?.last = time
      return []
    }
    defer { dwell = Dwell(place: place, start: time, last: time) }
    return dwellFindings
  }

  private var dwellFindings: [RecordingCheck.Finding] {
    guard let dwell, difference(from: dwell.start, to: dwell.last) >= Self.shortestDwell else {
      return []
    }
    return [
      RecordingCheck.Finding(time: dwell.start, until: dwell.last, detail: .dwell(at: dwell.place))
    ]
  }

  private mutating func quality(
    of location: VehicleLocation, at time: Timestamp
  ) -> [RecordingCheck.Finding] {
    var findings: [RecordingCheck.Finding] = []
    let previous = sensor
    if location.locationSensor != .unknownSensor { sensor = location.locationSensor }
    if previous != .unknownSensor, sensor != previous {
      findings.append(
        RecordingCheck.Finding(
          time: time, until: time, detail: .sensor(sensor, previous: previous)))
    }
    let accuracy =
      location.latlngAccuracy ?? location.horizontalAccuracy ?? location.rawLocationAccuracy ?? 0
    if accuracy > Self.accuracyLimit, accuracy.isFinite {
      if inaccuracy == nil {
        inaccuracy = Inaccuracy(start: time, worst: accuracy, sensor: location.locationSensor)
      } else if let worst = inaccuracy?.worst, accuracy > worst {
        inaccuracy?.worst = accuracy
        inaccuracy?.sensor = location.locationSensor
      }
    } else if let inaccuracy {
      self.inaccuracy = nil
      findings.append(finding(inaccuracy, until: time))
    }
    return findings
  }

  private func finding(
    _ inaccuracy: Inaccuracy, until time: Timestamp
  ) -> RecordingCheck.Finding {
    RecordingCheck.Finding(
      time: inaccuracy.start, until: time,
      detail: .inaccurate(worst: inaccuracy.worst, inaccuracy.sensor))
  }
}

extension VehicleLocation {
  /// The logs of Google may have the measured location only.
  fileprivate var place: LatLng? {
    [location, rawLocation].compactMap(\.self).first(where: \.isOnGlobe)
  }

  /// When the vehicle measured it, by the clock of the vehicle.
  var measuredTime: Timestamp? { updateTime ?? rawLocationTime }
}

extension RecordingCheck.Finding {
  /// A time that went back from `old` to `new`, found at `time`.
  static func backwards(
    _ source: RecordingCheck.TimeSource, from old: Timestamp, to new: Timestamp, at time: Timestamp
  ) -> Self {
    Self(
      time: time, until: time, detail: .backwards(source, by: difference(from: new, to: old)))
  }
}
