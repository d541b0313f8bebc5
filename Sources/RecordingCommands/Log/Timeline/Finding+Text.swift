import CommandLine
import CommandResources
import CommandShell
import RecordingAnalysis
import Tripwire

extension RecordingCheck.Finding {
  /// The finding for people in one line, without its time and trip. Texts from the recording in it are
  /// not escaped.
  var text: String {
    let lasting = Units.latency(duration)
    switch detail {
    case .gap(let gap): return gap.text
    case .stale: return "no new location for \(lasting)"
    case .jump(let meters, let seconds):
      let speed =
        seconds > 0 ? " (\(Units.fixed(meters / seconds * 3.6, decimals: 0)) km/h)" : ""
      return "\(Units.distance(meters: meters)) in \(Units.latency(seconds: seconds))\(speed)"
    case .backwards(let source, let step):
      return "the \(source.words) went back \(Units.latency(step))"
    case .dwell(let place):
      let degrees = [place.latitude, place.longitude].map { Units.fixed($0, decimals: 5) }
      return "\(lasting) at \(degrees.joined(separator: ", "))"
    case .arrival(let arrival): return arrival.text
    case .clock(let kind, let largest):
      let amount = Units.latency(largest)
      return switch kind {
      case .clientAhead: "the client's clock is at least \(amount) ahead of the server's"
      case .clientBehind: "the client's clock is at least \(amount) behind the server's"
      case .vehicleAhead: "the vehicle's clock is at least \(amount) ahead of the server's"
      case .vehicleBehind: "a location was \(amount) old when the server received it"
      }
    case .inaccurate(let worst, let sensor):
      let source = sensor == .unknownSensor ? "" : " by \(sensor.words)"
      return "±\(Units.distance(meters: worst))\(source), for \(lasting)"
    case .sensor(let sensor, let previous):
      return "location by \(sensor.words), previously by \(previous.words)"
    case .route(let meters, let previous, let isOtherStop):
      let difference = Units.distance(meters: (meters - previous).magnitude)
      return "another route of \(Units.distance(meters: meters)), \(difference)"
        + (meters < previous ? " shorter" : " longer") + (isOtherStop ? "; to another stop" : "")
    case .errors(let count, let code, let message, let isLocal):
      let first = Self.words(code, message, isLocal)
      return "\(Units.count(count, "error")) in \(lasting): \(first)"
    case .otherCall(let method, let code, let message, let isLocal):
      return "\(method): \(Self.words(code, message, isLocal))"
    }
  }

  /// The finding in a timeline for people, safe for a terminal; nil if another event reports it.
  ///
  /// - Parameter line: the time at the beginning of the line.
  func line(_ days: DayHeadings, inLineOf line: Timestamp?) -> String? {
    let since: String
    switch detail {
    case .gap, .stale, .errors, .otherCall: return nil
    // Each new stop has a new route.
    case .route(_, _, isOtherStop: true): return nil
    case .dwell, .inaccurate, .clock: since = ", since \(days.time(time, inLineOf: line))"
    case .jump, .backwards, .arrival, .sensor, .route: since = ""
    }
    return "check \(check.rawValue): " + escaped(text) + since
  }

  private static func words(_ code: StatusCode, _ message: String, _ isLocal: Bool) -> String {
    let start = String(message.unicodeScalars.prefix(200))
    return code.words(isLocal: isLocal) + (start.isEmpty ? "" : ": " + start)
  }
}

extension ResponseGap {
  /// "no response for 25 s (usual interval 5 s)", for people.
  var text: String {
    "no \(method.map { "\($0) call" } ?? "response") for \(Units.latency(length))"
      + " (usual interval \(Units.latency(usual)))"
  }
}

extension RecordingCheck.Arrival {
  /// "pickup: 1 min 5 s later than the first ETA (received 4 min before arrival), on time with the last
  /// ETA".
  fileprivate var text: String {
    let elapsed = elapsed(from: firstReceived, to: time) ?? .zero
    let notice = Units.duration(seconds: UInt64(elapsed.components.seconds))
    return
      "\(Self.name(stop)): \(Self.words(delay)) the first ETA (received \(notice) before arrival),"
      + " \(Self.words(lastDelay)) the last ETA"
  }

  private static func words(_ delay: Duration) -> String {
    let seconds = (delay / .seconds(1)).rounded()
    guard seconds != 0 else { return "on time with" }
    return Units.duration(seconds: UInt64(seconds.magnitude))
      + (seconds < 0 ? " earlier than" : " later than")
  }

  private static func name(_ stop: WaypointType) -> String {
    switch stop {
    case .pickup: "pickup"
    case .dropOff: "drop-off"
    default: "stop"
    }
  }
}

extension RecordingCheck.TimeSource {
  fileprivate var words: String {
    switch self {
    case .client: "client's time"
    case .vehicle: "time of the location"
    case .server: "server's time of the location"
    }
  }
}

extension LocationSensor {
  fileprivate var words: String { name ?? "sensor \(rawValue)" }
}
