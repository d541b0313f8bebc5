import CommandLine
import CommandShell
import Tripwire

/// A change of the next stop of a delivery vehicle. The raw value is the word on the command line.
enum StopChange: String, CaseIterable, Sendable {
  case enroute
  case arrived
  case completed

  static let option = "--stop"

  /// Returns the stops after the change, as a request has them: without what only the server sets.
  ///
  /// A completed stop is one that is removed. It must be ARRIVED, so that a repeated command does not close
  /// the tasks of another stop.
  ///
  /// - Parameter name: the vehicle, for errors.
  func applied(
    to segments: [VehicleJourneySegment], of name: String
  ) throws(ErrorReport) -> [VehicleJourneySegment] {
    var stops = segments.map { segment in
      VehicleJourneySegment(stop: segment.stop)
    }
    guard let next = stops.first?.stop else {
      throw failure(
        "\(name) has no stops",
        hint: "plan the stops first: update its field remainingVehicleJourneySegments")
    }
    switch self {
    case .enroute: stops[0].stop?.state = .enroute
    case .arrived: stops[0].stop?.state = .arrived
    case .completed:
      guard next.state == .arrived else {
        let state = next.state.name ?? "\(next.state.rawValue)"
        throw failure(
          "the next stop of \(name) is \(state), not ARRIVED",
          hint: "mark the arrival first: \(Self.option) \(StopChange.arrived.rawValue)")
      }
      stops.removeFirst()
    }
    return stops
  }

  private func failure(_ message: String, hint: String) -> ErrorReport {
    ErrorReport(local: escaped("\(Self.option) \(rawValue): \(message)"), hint: hint)
  }
}
