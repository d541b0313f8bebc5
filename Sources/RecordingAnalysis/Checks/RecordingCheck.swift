/// A check of the resources of a recording. Each looks for one kind of trouble.
package enum RecordingCheck: String, CaseIterable, Sendable {
  case gap, stale, jump, time, dwell, eta, clock, accuracy, route, error

  package var title: String {
    switch self {
    case .gap: "Gaps between polls"
    case .stale: "Stale locations"
    case .jump: "Jumps in space"
    case .time: "Jumps in time"
    case .dwell: "Dwell"
    case .eta: "ETA drift"
    case .clock: "Clock differences"
    case .accuracy: "Location accuracy and source"
    case .route: "Route changes"
    case .error: "Errors"
    }
  }

  /// One line.
  package var explanation: String {
    switch self {
    case .gap:
      "No response for more than 1 s and more than three times the usual interval, and no error."
    case .stale: "No new vehicle location for more than 30 s."
    case .jump: "The vehicle moved 100 m or more, faster than 250 km/h."
    case .time:
      "A timestamp of the client, the vehicle or the server is earlier than the previous one."
    case .dwell: "The vehicle stayed within 30 m for 2 minutes or longer."
    case .eta: "The actual arrival at each stop, compared with the first and the last ETA."
    case .clock:
      "The client, vehicle and server clocks differ by more than 5 s, or a location is over 30 s late."
    case .accuracy: "The location is less accurate than 50 m, or its sensor has changed."
    case .route: "The route to the next stop is not part of the previous route."
    case .error: "Calls about the resource fail."
    }
  }
}
