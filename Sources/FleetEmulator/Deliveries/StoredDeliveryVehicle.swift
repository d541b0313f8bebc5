import FleetEngineAPI
import FleetEngineDeliveryAPI
import WireProtobuf

/// A delivery vehicle as the provider and the driver's app have set it.
struct StoredDeliveryVehicle: Sendable, Equatable {
  /// With each segment of its journey as it was when its stop was added.
  private(set) var vehicle: DeliveryVehicle
  /// When the driver's app last reported the remaining duration.
  private(set) var durationReported: Timestamp?
  /// When the vehicle arrived at its first stop; nil if it is not there.
  private(set) var arrived: Timestamp?

  init(
    _ vehicle: DeliveryVehicle, durationReported: Timestamp? = nil, arrived: Timestamp? = nil
  ) {
    self.vehicle = vehicle
    self.durationReported = durationReported
    self.arrived = arrived
  }

  /// The IDs of the tasks of its stops.
  var taskIDs: [String] {
    vehicle.remainingVehicleJourneySegments.flatMap { $0.stop?.tasks.map(\.taskId) ?? [] }
  }

  /// The route that the driver's app reported; nil if there is none, or one that does not end at the first stop.
  var route: [LatLng]? {
    guard !vehicle.currentRouteSegment.isEmpty,
      let stop = vehicle.remainingVehicleJourneySegments.first?.stop?.place,
      let points = try? Polyline.decode(vehicle.routeText),
      let end = vehicle.currentRouteSegmentEndPoint ?? points.last,
      end.meters(to: stop) <= Self.nearStop
    else { return nil }
    return points
  }

  /// The largest distance in meters of the end of a route to the stop where it leads.
  private static let nearStop = 100.0

  /// The vehicle in a response.
  func answer(at now: Timestamp) -> DeliveryVehicle {
    var vehicle = vehicle
    vehicle.lastLocation = vehicle.lastLocation?.answered(at: now)
    return vehicle
  }

  /// Replaces fields by those of a valid request, except the journey.
  mutating func replaceFields(from given: DeliveryVehicle, _ mask: FieldMask, at now: Timestamp) {
    let fields = mask.topLevelFields
    vehicle.replaceFields(from: given, mask)
    vehicle.attributes = vehicle.attributes.map(\.completed)
    // Its default (reference, `DeliveryVehicle.type`).
    if vehicle.type == .unspecified { vehicle.type = .auto }
    if fields.contains("last_location") { vehicle.lastLocation?.serverTime = now }
    if fields.contains("remaining_duration") { durationReported = now }
    if vehicle.currentRouteSegment.isEmpty { endRoute() }
  }

  /// Replaces the journey. A route to a stop that is no longer the first ends.
  ///
  /// - Parameter segments: valid ones. The way to a stop is that of the request, or as it was when the stop was added,
  ///   also after the vehicle has passed the stop before, or else a straight line.
  mutating func setJourney(_ segments: [VehicleJourneySegment], at now: Timestamp) {
    let old = vehicle.remainingVehicleJourneySegments
    let (oldPlaces, places) = (old.map { $0.stop?.place }, segments.map { $0.stop?.place })
    let indices = Dictionary(zip(oldPlaces, oldPlaces.indices), uniquingKeysWith: { one, _ in one })
    let kept = Set(places)
    var journey: [VehicleJourneySegment] = []
    for (index, segment) in segments.enumerated() {
      let before = index > 0 ? places[index - 1] : nil
      let known = indices[places[index]]
      let last = known.flatMap {
        $0 > 0 && kept.contains(oldPlaces[$0 - 1]) ? oldPlaces[$0 - 1] : nil
      }
      let start = index > 0 ? before : vehicle.lastLocation?.location
      var planned = segment
      // A segment of a response that is sent back sets nothing.
      if let known, old[known].way == segment.way { planned.way = Way() }
      if let known, planned.way == Way(), last == before { planned.way = old[known].way }
      journey.append(planned.completed(from: start))
    }
    vehicle.remainingVehicleJourneySegments = journey
    let isSameStop = oldPlaces.first == places.first
    if !isSameStop { endRoute() }
    let isThere = journey.first?.stop?.state == .arrived
    arrived = isThere ? (isSameStop ? arrived ?? now : now) : nil
  }

  private mutating func endRoute() {
    vehicle.currentRouteSegment = []
    vehicle.currentRouteSegmentEndPoint = nil
    vehicle.remainingDistanceMeters = nil
    vehicle.remainingDuration = nil
    durationReported = nil
  }
}

extension DeliveryVehicle {
  /// The route in the form of a text, which its bytes are.
  var routeText: String { String(decoding: currentRouteSegment, as: UTF8.self) }
}

extension VehicleStop {
  var place: LatLng? { plannedLocation?.point }
}

/// The way to a stop.
private struct Way: Equatable {
  var path: [LatLng] = []
  var meters: Int32?
  var duration: WireDuration?
}

extension VehicleJourneySegment {
  fileprivate var way: Way {
    get { Way(path: path, meters: drivingDistanceMeters, duration: drivingDuration) }
    set {
      (path, drivingDistanceMeters, drivingDuration) = (
        newValue.path, newValue.meters, newValue.duration
      )
    }
  }

  /// The segment with what its way lacks, as along a straight line. Without a start, the way remains unknown.
  fileprivate func completed(from start: LatLng?) -> VehicleJourneySegment {
    var segment = self
    if path.isEmpty, let start, let end = stop?.place { segment.path = [start, end] }
    let length = segment.path.isEmpty ? nil : length(of: segment.path)
    guard let meters = drivingDistanceMeters ?? length.map(Int32.init(meters:)) else {
      return segment
    }
    segment.drivingDistanceMeters = meters
    segment.drivingDuration = drivingDuration ?? WireDuration(.driving(Double(meters)))
    return segment
  }
}
