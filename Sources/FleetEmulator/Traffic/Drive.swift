package import FleetEngineAPI
import WireGRPC
import WireSystem

/// Decides when which location of a vehicle is sent: along a route, or the newest of some positions. All times are
/// durations since the start.
///
///     next ──► wait, waitForPosition      the vehicle has nothing to send yet
///      │  ──► end                         the last location was sent
///      └────► send ──► succeeded ──► next, an interval after the begin of the call
///                 └──► failed ─────► next, after a pause, with the location of that time
package struct Drive: Sendable {
  package struct Options: Sendable {
    /// The speed in meters per second; nil for that of the track or, if that has no times, 8 m/s.
    package var speed: Double?
    package var interval = Duration.seconds(10)
    /// How far locations are from the true place at most, in meters.
    package var noise = 0.0
    /// The choices of the noise depend on it.
    package var seed = ""
    /// When no location is known.
    package var outages: [Range<Duration>] = []
    package var stops: [Stop] = []

    package init() {}
  }

  package struct Stop: Sendable {
    /// From the start of the route.
    let meters: Double
    let duration: Duration

    package init(meters: Double, duration: Duration) {
      self.meters = meters
      self.duration = duration
    }
  }

  package enum Step: Equatable, Sendable {
    case send(LocationReport)
    case wait(until: Duration)
    /// Nothing happens before ``Drive/offer(_:at:)`` or ``Drive/endPositions()``.
    case waitForPosition
    case end
  }

  /// The reason why a route cannot be driven.
  package enum Fault: Error, Equatable {
    /// The times of the track go back at this point, from 1.
    case timeGoesBack(point: Int)
    /// The stop at this distance is after the end of the route, which has this length in meters.
    case stopAfterEnd(meters: Double, length: Double)
  }

  private struct Position {
    let place: LatLng
    let time: Duration
    let number: Int
  }

  private enum Source {
    case route(Road, Pace)
    case positions(waiting: Position?, isOver: Bool)
  }

  /// A longer route is not sent: a request may have 4 MB.
  private static let longestRoute = 10_000
  private static let longestPause = Duration.seconds(30)

  private let options: Options
  private var source: Source
  private var dice: Dice
  private var due = Duration.zero
  private var failures = 0
  /// The route, until the server has it.
  private var route: String?
  /// Whether the last location was sent.
  private var isOver = false
  /// Whether the location that is being sent is the last one of the route.
  private var isLast = false
  private var offered = 0
  /// The position that is being sent or was sent last, and that before it.
  private var current: Position?
  private var previous: Position?

  /// Creates a drive along a route.
  package init(along route: Route, _ options: Options) throws(Fault) {
    let points = route.points.map(\.place)
    let raw = Road(points)
    var pace: Pace
    if options.speed == nil, route.hasTimes, let first = route.points.first?.time {
      let times = route.points.map { ($0.time.map { $0 - first } ?? .zero) / .seconds(1) }
      for index in times.indices.dropFirst() where times[index] < times[index - 1] {
        throw .timeGoesBack(point: index + 1)
      }
      pace = Pace(times: times, meters: raw.meters)
    } else {
      pace = Pace(length: raw.length, speed: options.speed ?? usualSpeed)
    }
    for stop in options.stops {
      guard stop.meters <= raw.length else {
        throw .stopAfterEnd(meters: stop.meters, length: raw.length)
      }
      pace.stop(at: stop.meters, for: stop.duration / .seconds(1))
    }
    // A line between equal points has no direction.
    let distinct = points.enumerated().filter { $0 == 0 || points[$0 - 1] != $1 }.map(\.element)
    self.init(.route(Road(distinct), pace), options)
    if points.count <= Self.longestRoute { self.route = try? S2Polyline.encode(distinct) }
  }

  /// Creates a drive to positions that arrive later.
  package init(_ options: Options) {
    self.init(.positions(waiting: nil, isOver: false), options)
  }

  private init(_ source: Source, _ options: Options) {
    self.source = source
    self.options = options
    dice = Dice(seed: options.seed)
  }

  /// The length of the route in meters, and the time it takes; nil without a route.
  package var plan: (meters: Double, duration: Duration)? {
    guard case .route(let road, let pace) = source else { return nil }
    return (road.length, .seconds(pace.duration))
  }

  // MARK: Input

  /// Takes a position, which replaces one that waits to be sent.
  package mutating func offer(_ place: LatLng, at now: Duration) {
    guard case .positions(_, let isOver) = source else { return }
    offered += 1
    let position = Position(place: place, time: now, number: offered)
    source = .positions(waiting: position, isOver: isOver)
  }

  package mutating func endPositions() {
    guard case .positions(let waiting, _) = source else { return }
    source = .positions(waiting: waiting, isOver: true)
  }

  package mutating func next(at now: Duration) -> Step {
    guard !isOver else { return .end }
    while let outage = options.outages.first(where: { $0.contains(max(now, due)) }) {
      due = outage.upperBound
    }
    switch source {
    case .positions(nil, true): return .end
    case .positions(nil, false): return .waitForPosition
    case _ where now < due: return .wait(until: due)
    case .positions(let waiting?, _): return .send(report(waiting))
    case .route(let road, let pace): return .send(report(road, pace, at: now))
    }
  }

  /// The server has the last report.
  ///
  /// - Parameter began: when the call began.
  package mutating func succeeded(began: Duration) {
    failures = 0
    due = began + options.interval
    route = nil
    isOver = isLast
    if case .positions(let waiting?, let isOver) = source, waiting.number == current?.number {
      source = .positions(waiting: nil, isOver: isOver)
    }
  }

  /// The server does not have the last report. The next call has a newer one.
  ///
  /// - Parameters:
  ///   - delay: the pause that the server asked for; nil for none.
  ///   - random: from 0 up to 1; spreads the pauses.
  package mutating func failed(at now: Duration, delay: Duration?, random: Double) {
    failures += 1
    let pause = Backoff.pause(
      after: failures, first: min(options.interval, .seconds(1)), longest: Self.longestPause,
      random: random)
    due = now + max(pause, delay ?? .zero)
  }

  // MARK: Reports

  private mutating func report(_ road: Road, _ pace: Pace, at now: Duration) -> LocationReport {
    let seconds = now / .seconds(1)
    isLast = seconds >= pace.duration
    let (meters, speed) = pace.state(at: seconds)
    let (place, heading) = road.place(at: meters)
    return LocationReport(
      place: displaced(place), heading: heading, speed: speed, accuracy: accuracy, driven: meters,
      remaining: max(0, road.length - meters), route: route)
  }

  private mutating func report(_ position: Position) -> LocationReport {
    if position.number != current?.number { (previous, current) = (current, position) }
    var heading: Int32?
    var speed: Double?
    if let previous {
      let meters = previous.place.meters(to: position.place)
      if meters > 0 { heading = previous.place.heading(to: position.place) }
      let seconds = (position.time - previous.time) / .seconds(1)
      if seconds > 0 { speed = meters / seconds }
    }
    return LocationReport(
      place: displaced(position.place), heading: heading, speed: speed, accuracy: accuracy)
  }

  private var accuracy: Double? { options.noise > 0 ? options.noise : nil }

  /// Returns a place within the noise around the true one.
  private mutating func displaced(_ place: LatLng) -> LatLng {
    guard options.noise > 0 else { return place }
    let angle = dice.fraction * .pi
    let meters = options.noise * dice.fraction.magnitude.squareRoot()
    let degrees = meters / earthRadius * 180 / .pi
    // Near a pole a degree of longitude is short.
    let shrink = max(cos(place.latitude * .pi / 180), 0.01)
    let moved = LatLng(
      latitude: place.latitude + degrees * cos(angle),
      longitude: place.longitude + degrees * sin(angle) / shrink)
    return moved.isOnGlobe ? place.between(moved, 1) : place
  }
}
