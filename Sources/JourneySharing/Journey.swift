public import Tripwire

/// What a map shows of a followed trip: its routes, its stops and the vehicle, and the part of the
/// globe to look at. A value, made anew of each update:
///
///     for await update in model.updates {
///       guard let trip = update.trip else { continue }
///       draw(Journey(trip))
///     }
///
/// | while the trip is | pickup | intermediate destinations | drop-off | vehicle, routes |
/// |---|---|---|---|---|
/// | new, on its way to the pickup or there, or of a status not known | yes | all | yes | as far as known |
/// | on its way to an intermediate destination, or there | | from that one on | yes | as far as known |
/// | on its way to the drop-off | | | yes | as far as known |
/// | complete | | | yes | the vehicle |
/// | canceled | | | | |
///
/// The stops of other trips that the vehicle makes on the way are not shown: they are no business of
/// this rider's. What is no place on the globe, and a route that cannot be decoded, are not shown
/// either.
public struct Journey: Sendable, Hashable {
  /// Of the trip, as `providers/{provider}/trips/{trip}`.
  public var name: String
  public var status: TripStatus
  /// In the order in which they are drawn.
  public var polylines: [Polyline]
  /// In the order in which they are drawn.
  public var markers: [Marker]
  /// What the SDK's camera looks at: the vehicle, its way to the next stop of this trip, and that
  /// stop; all stops as long as no vehicle is known. Nil when there is nothing to look at.
  public var camera: MapBounds?

  public init(_ trip: Trip, style: JourneyStyle = JourneyStyle()) {
    let stage = Stage(trip.tripStatus)
    let activeRoute = stage.hasRoutes ? points(of: trip.activeRoute) : []
    let remainingRoute = stage.hasRoutes ? points(of: trip.remainingRoute) : []
    name = trip.name
    status = trip.tripStatus

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
}

/// Which of a trip's things are shown.
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
  /// Whether there is such a place on the globe.
  var isPlace: Bool { -90...90 ~= latitude && -180...180 ~= longitude }
}

extension Array {
  /// What has the same key stays in its order.
  fileprivate func sortedStably(by key: (Element) -> Int32) -> [Element] {
    enumerated().sorted {
      (key($0.element), $0.offset) < (key($1.element), $1.offset)
    }.map(\.element)
  }
}
