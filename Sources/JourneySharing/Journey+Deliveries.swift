public import Tripwire

extension Journey {
  /// Creates the contents of a map of a task: the vehicle, its route to the task, and the task's place.
  ///
  /// The line ``Polyline/Kind/activeRoute`` leads to the vehicle's next stop, and the line
  /// ``Polyline/Kind/remainingRoute`` leads from there to the task. The place of the task is a marker of the
  /// kind ``Marker/Kind/dropoff``. A closed task has neither vehicle nor lines.
  public init(_ task: DeliveryTask, style: JourneyStyle = JourneyStyle()) {
    let sharing = task.state == .closed ? nil : task.journeySharingInfo
    self.init(
      name: task.name, kind: .task, state: task.state.nameIfSet, sharing?.lastLocation,
      isSnappable: sharing?.lastLocationSnappable ?? false,
      paths: sharing?.remainingVehicleJourneySegments.map(\.path) ?? [],
      stops: [], place: task.plannedLocation, style)
  }

  /// Creates the contents of a map of a shipment, as far as the recipient may see them. The place of the task
  /// is a marker of the kind ``Marker/Kind/dropoff``.
  public init(_ tracking: TaskTrackingInfo, style: JourneyStyle = JourneyStyle()) {
    self.init(
      name: tracking.name, kind: .taskTrackingInfo, state: tracking.state.nameIfSet,
      tracking.vehicleLocation,
      paths: [tracking.routePolylinePoints], stops: [], place: tracking.plannedLocation, style)
  }

  /// Creates the contents of a map of a delivery vehicle: its place, its route to the remaining stops, and the
  /// stops as markers of the kind ``Marker/Kind/intermediateDestination``. The camera shows the whole route.
  public init(_ vehicle: DeliveryVehicle, style: JourneyStyle = JourneyStyle()) {
    let segments = vehicle.remainingVehicleJourneySegments
    self.init(
      name: vehicle.name, kind: .deliveryVehicle, state: nil, vehicle.lastLocation,
      paths: segments.map(\.path),
      stops: segments.map(\.stop?.plannedLocation), place: nil, style)
  }

  private init(
    name: String, kind: ResourceKind, state: String?, _ location: DeliveryVehicleLocation?,
    isSnappable: Bool = false, paths: [[LatLng]], stops: [LocationInfo?], place: LocationInfo?,
    _ style: JourneyStyle
  ) {
    let paths = paths.map { $0.filter(\.isOnGlobe) }
    let next = paths.first ?? []
    self.init(name: name, kind: kind, state: state)
    let rest = Array(paths.dropFirst().joined())
    polylines =
      Polyline.all(.remainingRoute, rest, nil, style.remainingRoute)
      + Polyline.all(.activeRoute, next, nil, style.activeRoute)
    let stops = stops.enumerated().map { index, stop in
      Marker(.intermediateDestination, at: stop?.point, index: index, style)
    }
    let task = Marker(.dropoff, at: place?.point, style)
    let vehicle = Marker.vehicle(
      at: location.map(VehicleLocation.init), on: isSnappable ? next : nil, style)
    markers = (stops + [task, vehicle]).compactMap(\.self).filter(\.style.isVisible)
    polylines.sortStably(by: \.style.zIndex)
    markers.sortStably(by: \.style.zIndex)
    camera = MapBounds(next + rest + markers.map(\.position))
  }
}
