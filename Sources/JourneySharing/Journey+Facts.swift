public import Tripwire

extension Journey {
  /// Creates the contents of a map of a task: the vehicle, its route to the task, and the task's place.
  ///
  /// The line ``Polyline/Kind/activeRoute`` leads to the vehicle's next stop, and the line
  /// ``Polyline/Kind/remainingRoute`` leads from there to the task. The place of the task is a marker of the
  /// kind ``Marker/Kind/dropoff``. A closed task has neither vehicle nor lines.
  public init(_ task: DeliveryTask, style: JourneyStyle = JourneyStyle()) {
    self.init(of: task, style)
  }

  /// Creates the contents of a map of a shipment, as far as the recipient may see them. The place of the task
  /// is a marker of the kind ``Marker/Kind/dropoff``. A closed shipment has neither vehicle nor line.
  public init(_ tracking: TaskTrackingInfo, style: JourneyStyle = JourneyStyle()) {
    self.init(of: tracking, style)
  }

  /// Creates the contents of a map of a delivery vehicle: its place, its route to the remaining stops, and the
  /// stops as markers of the kind ``Marker/Kind/intermediateDestination``. The camera shows the whole route.
  public init(_ vehicle: DeliveryVehicle, style: JourneyStyle = JourneyStyle()) {
    self.init(of: vehicle, style)
  }

  /// Creates the contents of a map of any resource from its facts.
  init(of resource: any FleetMessage, _ style: JourneyStyle) {
    let facts = resource.facts(at: nil)
    self.init(name: resource.name, kind: type(of: resource).kind, state: facts.status.nameIfSet)
    let legs = resource.isFinal ? [] : facts.legs.map { points($0.points) }
    let next = legs.first ?? []
    let rest = Array(legs.dropFirst().joined())
    polylines =
      Polyline.all(.remainingRoute, rest, nil, style.remainingRoute)
      + Polyline.all(.activeRoute, next, nil, style.activeRoute)
    let stops = facts.includesStopsOfOthers ? [] : facts.stops ?? []
    let vehicle = Marker.vehicle(
      at: resource.isFinal ? nil : resource.locationOfVehicle, on: facts.isOnRoute ? next : nil,
      style)
    markers = stops.enumerated().map { index, stop in
      Marker(.intermediateDestination, at: stop.position, index: index, style)
    }.compactMap(\.self)
    markers += [Marker(.dropoff, at: facts.place, style), vehicle].compactMap(\.self)
    markers.removeAll { !$0.style.isVisible }
    polylines.sortStably(by: \.style.zIndex)
    markers.sortStably(by: \.style.zIndex)
    camera = MapBounds(next + rest + markers.map(\.position))
  }
}
