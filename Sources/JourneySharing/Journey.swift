public import Tripwire

/// The contents of a map of a followed trip: its routes, its stops, the vehicle, and the area to
/// show. Vehicles, tasks and shipments have journeys, too. A value, created from each update:
///
///     for await update in model.updates {
///       guard let trip = update.trip else { continue }
///       draw(Journey(trip))
///     }
///
/// | while the trip is | pickup | intermediate destinations | drop-off | vehicle, routes |
/// |---|---|---|---|---|
/// | new, en route to or at the pickup, or unknown | yes | all | yes | as far as known |
/// | en route to or at an intermediate destination | | from that one on | yes | as far as known |
/// | en route to the drop-off | | | yes | as far as known |
/// | complete | | | yes | the vehicle |
/// | canceled | | | | |
///
/// The journey of a trip has no stops of other trips, to protect the privacy of their riders. Invalid
/// coordinates and routes that cannot be decoded are not shown either.
public struct Journey: Sendable, Hashable {
  /// The name of the resource, such as `providers/{provider}/trips/{trip}`.
  public var name: String
  /// The status of the trip; ``/Tripwire/TripStatus/unknown`` for other resources.
  public var status: TripStatus
  package let kind: ResourceKind
  /// The state of another resource than a trip.
  private let state: String?
  /// The lines, in drawing order.
  public var polylines: [Polyline]
  /// The markers, in drawing order.
  public var markers: [Marker]
  /// The area that the SDK's camera shows: the vehicle, its route to the next stop of this trip,
  /// and that stop; all stops while neither the vehicle nor its route is known. For a delivery
  /// vehicle, a task or a shipment the whole route and all stops. Nil if there is nothing to show.
  public var camera: MapBounds?
  /// The first error in a route or in its traffic, which is then not shown.
  package private(set) var polylineError: PolylineError?

  /// Creates the contents of a map of a trip.
  public init(_ trip: Trip, style: JourneyStyle = JourneyStyle()) {
    self.init(name: trip.name, kind: .trip, state: nil)
    status = trip.tripStatus
    let stage = Stage(trip.tripStatus)
    var activeRoute: [LatLng] = []
    if stage.hasRoutes {
      activeRoute = points(trip.activeRoute.points)
      polylines += Polyline.all(
        .remainingRoute, points(trip.remainingRoute.points),
        decoded(trip.remainingRouteTraffic) ?? nil, style.remainingRoute)
      polylines += Polyline.all(
        .activeRoute, activeRoute, decoded(trip.activeRouteTraffic) ?? nil, style.activeRoute)
    }
    polylines.sortStably(by: \.style.zIndex)

    let stops = Marker.stops(of: trip, at: stage, style)
    let vehicle =
      stage == .canceled
      ? nil
      : Marker.vehicle(
        at: trip.lastLocation, on: trip.lastLocationSnappable ? activeRoute : nil, style)
    markers = (stops + [vehicle].compactMap { $0 }).filter(\.style.isVisible)
    markers.sortStably(by: \.style.zIndex)

    var inView = activeRoute
    if let vehicle { inView.append(vehicle.position) }
    if inView.isEmpty {
      inView = stops.map(\.position)
    } else {
      inView += Marker.nextStop(of: trip, among: stops)
    }
    camera = MapBounds(inView)
  }

  /// The name of the status in the protocol, or of the state of another resource; nil if there is none.
  package var statusName: String? { kind == .trip ? status.name : state }

  /// The area of everything that is drawn: the routes, the stops and the vehicle. Nil if that is nothing.
  package var drawnArea: MapBounds? {
    MapBounds(polylines.flatMap(\.points) + markers.map(\.position))
  }

  /// Creates an empty map of something other than a trip.
  init(name: String, kind: ResourceKind, state: String?) {
    self.name = name
    self.kind = kind
    status = .unknown
    self.state = state
    polylines = []
    markers = []
  }

  /// Returns the valid points of a route; none if it cannot be decoded.
  mutating func points(_ decode: () throws(PolylineError) -> [LatLng]) -> [LatLng] {
    (decoded(decode) ?? []).filter(\.isOnGlobe)
  }

  private mutating func decoded<Value>(_ decode: () throws(PolylineError) -> Value) -> Value? {
    do throws(PolylineError) {
      return try decode()
    } catch {
      polylineError = polylineError ?? error
      return nil
    }
  }
}

extension NamedValue {
  /// The name of a state; nil if no state is set, or for a number without a name.
  var nameIfSet: String? { number == 0 ? nil : name }
}

/// The stage of a trip, which determines the parts that are shown.
enum Stage: Sendable, Hashable {
  case beforePickup
  case toIntermediateDestination
  case toDropoff
  case complete
  case canceled

  init(_ status: TripStatus) {
    self =
      switch status {
      case .unknown, .unrecognized, .new, .enrouteToPickup, .arrivedAtPickup: .beforePickup
      case .enrouteToIntermediateDestination, .arrivedAtIntermediateDestination:
        .toIntermediateDestination
      case .enrouteToDropoff: .toDropoff
      case .complete: .complete
      case .canceled: .canceled
      }
  }

  var hasRoutes: Bool { self != .complete && self != .canceled }
}

extension Array {
  /// Sorts by a key. Elements with the same key keep their order.
  mutating func sortStably(by key: (Element) -> Int32) {
    self = enumerated().sorted {
      (key($0.element), $0.offset) < (key($1.element), $1.offset)
    }.map(\.element)
  }
}
