public import Tripwire

/// The contents of a map of a followed trip: its routes, its stops, the vehicle, and the area to
/// show. A value, created from each update:
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
/// Stops of other trips are not shown, to protect the privacy of their riders. Invalid coordinates
/// and routes that cannot be decoded are not shown either.
public struct Journey: Sendable, Hashable {
  /// The name of the trip, `providers/{provider}/trips/{trip}`.
  public var name: String
  public var status: TripStatus
  /// The name of the status in the protocol, or of the state of a task; nil if there is none.
  var statusName: String?
  /// The lines, in drawing order.
  public var polylines: [Polyline]
  /// The markers, in drawing order.
  public var markers: [Marker]
  /// The area that the SDK's camera shows: the vehicle, its route to the next stop of this trip,
  /// and that stop; all stops while no vehicle is known. Nil if there is nothing to show.
  public var camera: MapBounds?

  /// Creates the contents of a map of a trip.
  public init(_ trip: Trip, style: JourneyStyle = JourneyStyle()) {
    let stage = Stage(trip.tripStatus)
    let activeRoute = stage.hasRoutes ? points(of: trip.activeRoute) : []
    let remainingRoute = stage.hasRoutes ? points(of: trip.remainingRoute) : []
    name = trip.name
    status = trip.tripStatus
    statusName = status.name

    var polylines: [Polyline] = []
    if stage.hasRoutes {
      polylines += Polyline.all(
        .remainingRoute, remainingRoute, try? trip.remainingRouteTraffic(), style.remainingRoute)
      polylines += Polyline.all(
        .activeRoute, activeRoute, try? trip.activeRouteTraffic(), style.activeRoute)
    }
    self.polylines = polylines.sortedStably(by: \.style.zIndex)

    let stops = Marker.stops(of: trip, at: stage, style)
    let vehicle = stage == .canceled ? nil : Marker.vehicle(of: trip, on: activeRoute, style)
    markers = (stops + [vehicle].compactMap { $0 }).filter(\.style.isVisible)
      .sortedStably(by: \.style.zIndex)

    var inView = activeRoute
    if let vehicle { inView.append(vehicle.position) }
    if inView.isEmpty {
      inView = stops.map(\.position)
    } else {
      inView += Marker.nextStop(of: trip, among: stops)
    }
    camera = MapBounds(inView)
  }

  /// The area of everything that is drawn: the routes, the stops and the vehicle. Nil if that is nothing.
  package var drawnArea: MapBounds? {
    MapBounds(polylines.flatMap(\.points) + markers.map(\.position))
  }

  /// Creates an empty map of something other than a trip.
  init(name: String, state: String?) {
    self.name = name
    status = .unknown
    statusName = state
    polylines = []
    markers = []
  }
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

private func points(of route: RoutePath) -> [LatLng] {
  ((try? route.points()) ?? []).filter(\.isPlace)
}

extension LatLng {
  /// Whether both coordinates are valid.
  var isPlace: Bool { -90...90 ~= latitude && -180...180 ~= longitude }
}

extension Array {
  /// Sorts by a key. Elements with the same key keep their order.
  fileprivate func sortedStably(by key: (Element) -> Int32) -> [Element] {
    enumerated().sorted {
      (key($0.element), $0.offset) < (key($1.element), $1.offset)
    }.map(\.element)
  }
}
