package import Tripwire
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

  private var last: (location: VehicleLocation, time: Timestamp)?
  /// The stay at the last place, which is the first location there; the others are near it.
  private var dwell: Finding?
  /// The inaccuracy that is not over, without its end.
  private var inaccuracy: Finding?
  private var sensor = LocationSensor.unknownSensor

  /// - Parameters:
  ///   - location: one that differs from the last.
  ///   - time: when it was received.
  mutating func receive(_ location: VehicleLocation, at time: Timestamp) -> [Finding] {
    var findings = steps(to: location, at: time)
    if let place = location.place { findings += stay(at: place, at: time) }
    findings += quality(of: location, at: time)
    last = (location, time)
    return findings
  }

  /// The findings that last until the end of the recording, or until the vehicle changes.
  func end() -> [Finding] {
    var findings = dwellFindings
    if var inaccuracy, let last {
      inaccuracy.until = last.time
      findings.append(inaccuracy)
    }
    return findings
  }

  /// Jumps in space and in time.
  private func steps(
    to location: VehicleLocation, at time: Timestamp
  ) -> [Finding] {
    guard let last else { return [] }
    var findings: [Finding] = []
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
    if seconds >= 0, Self.isJump(meters: meters, seconds: seconds) {
      findings.append(
        Finding(.jump(meters: meters, seconds: seconds), from: last.time, to: time))
    }
    return findings
  }

  static func isJump(meters: Double, seconds: Double) -> Bool {
    meters >= shortestJump && meters > highestSpeed * seconds
  }

  private mutating func stay(at place: LatLng, at time: Timestamp) -> [Finding] {
    if case .dwell(let center)? = dwell?.detail, distance(center, place) <= Self.dwellRadius {
      dwell?.until = time
      return []
    }
    defer { dwell = Finding(.dwell(at: place), from: time, to: time) }
    return dwellFindings
  }

  private var dwellFindings: [Finding] {
    guard let dwell, dwell.duration >= Self.shortestDwell else { return [] }
    return [dwell]
  }

  private mutating func quality(
    of location: VehicleLocation, at time: Timestamp
  ) -> [Finding] {
    var findings: [Finding] = []
    let previous = sensor
    if location.locationSensor != .unknownSensor { sensor = location.locationSensor }
    if previous != .unknownSensor, sensor != previous {
      findings.append(Finding(.sensor(sensor, previous: previous), from: time, to: time))
    }
    let accuracy =
      location.latlngAccuracy ?? location.horizontalAccuracy ?? location.rawLocationAccuracy ?? 0
    if accuracy > Self.accuracyLimit, accuracy.isFinite {
      let detail = RecordingCheck.Detail.inaccurate(worst: accuracy, location.locationSensor)
      if inaccuracy == nil {
        inaccuracy = Finding(detail, from: time, to: time)
      } else if case .inaccurate(let worst, _)? = inaccuracy?.detail, accuracy > worst {
        inaccuracy?.detail = detail
      }
    } else if var inaccuracy {
      self.inaccuracy = nil
      inaccuracy.until = time
      findings.append(inaccuracy)
    }
    return findings
  }
}

extension VehicleLocation {
  /// The logs of Google may have the measured location only.
  package var place: LatLng? {
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
    Self(.backwards(source, by: difference(from: new, to: old)), from: time, to: time)
  }
}
