import FleetEngineAPI
import WireProtobuf

// Reads every field of a decoded message: numbers are summed, strings count by their length. The
// counterpart of Peers/touch.h.

protocol Touchable {
  func touch(_ sum: inout Sum)
}

struct Sum {
  private(set) var total = 0.0

  mutating func add(_ value: Double?) { total += value ?? 0 }

  mutating func add(_ value: Int32?) { total += Double(value ?? 0) }

  mutating func add(_ value: Bool?) { total += value == true ? 1 : 0 }

  mutating func add(_ value: String) { total += Double(value.utf8.count) }

  mutating func add(_ value: some ProtoEnum) { total += Double(value.rawValue) }

  mutating func add(_ value: (some Touchable)?) { value?.touch(&self) }

  mutating func add(_ values: [some Touchable]) {
    for value in values { value.touch(&self) }
  }
}

extension SearchTripsResponse: Touchable {
  func touch(_ sum: inout Sum) {
    sum.add(trips)
    sum.add(nextPageToken)
  }
}

extension Trip: Touchable {
  func touch(_ sum: inout Sum) {
    sum.add(name)
    sum.add(vehicleId)
    sum.add(tripStatus)
    sum.add(tripType)
    sum.add(pickupPoint)
    sum.add(actualPickupPoint)
    sum.add(actualPickupArrivalPoint)
    sum.add(pickupTime)
    sum.add(intermediateDestinations)
    sum.add(intermediateDestinationsVersion)
    sum.add(actualIntermediateDestinationArrivalPoints)
    sum.add(actualIntermediateDestinations)
    sum.add(dropoffPoint)
    sum.add(actualDropoffPoint)
    sum.add(dropoffTime)
    sum.add(remainingWaypoints)
    sum.add(vehicleWaypoints)
    sum.add(route)
    sum.add(currentRouteSegment)
    sum.add(currentRouteSegmentVersion)
    sum.add(currentRouteSegmentTraffic)
    sum.add(currentRouteSegmentTrafficVersion)
    sum.add(currentRouteSegmentEndPoint)
    sum.add(etaToFirstWaypoint)
    sum.add(remainingTimeToFirstWaypoint)
    sum.add(remainingWaypointsVersion)
    sum.add(remainingWaypointsRouteVersion)
    sum.add(intermediateDestinationIndex)
    sum.add(remainingDistanceMeters)
    sum.add(numberOfPassengers)
    sum.add(lastLocation)
    sum.add(lastLocationSnappable)
    sum.add(view)
    sum.add(attributes)
  }
}

extension VehicleLocation: Touchable {
  func touch(_ sum: inout Sum) {
    sum.add(location)
    sum.add(rawLocation)
    sum.add(flpLocation)
    sum.add(supplementalLocation)
    sum.add(updateTime)
    sum.add(serverTime)
    sum.add(rawLocationTime)
    sum.add(flpUpdateTime)
    sum.add(supplementalLocationTime)
    sum.add(locationSensor)
    sum.add(rawLocationSensor)
    sum.add(supplementalLocationSensor)
    sum.add(horizontalAccuracy)
    sum.add(latlngAccuracy)
    sum.add(bearingAccuracy)
    sum.add(headingAccuracy)
    sum.add(altitude)
    sum.add(verticalAccuracy)
    sum.add(altitudeAccuracy)
    sum.add(speed)
    sum.add(speedAccuracy)
    sum.add(rawLocationAccuracy)
    sum.add(flpLatlngAccuracyMeters)
    sum.add(supplementalLocationAccuracy)
    sum.add(heading)
    sum.add(speedKmph)
    sum.add(timeSinceUpdate)
    sum.add(numStaleUpdates)
    sum.add(flpHeadingDegrees)
    sum.add(isRoadSnapped)
    sum.add(isGpsSensorEnabled)
    sum.add(roadSnapped)
  }
}

extension TripWaypoint: Touchable {
  func touch(_ sum: inout Sum) {
    sum.add(location)
    sum.add(tripId)
    sum.add(waypointType)
    sum.add(pathToWaypoint)
    sum.add(encodedPathToWaypoint)
    sum.add(trafficToWaypoint)
    sum.add(distanceMeters)
    sum.add(eta)
    sum.add(duration)
  }
}

extension TerminalLocation: Touchable {
  func touch(_ sum: inout Sum) {
    sum.add(point)
    sum.add(terminalPointId)
    sum.add(accessPointId)
    sum.add(tripId)
    sum.add(terminalLocationType)
  }
}

extension TerminalPointId: Touchable {
  func touch(_ sum: inout Sum) {
    sum.add(value)
    switch id {
    case .placeId(let id): sum.add(id)
    case .generatedId(let id): sum.add(id)
    case nil: break
    }
  }
}

extension StopLocation: Touchable {
  func touch(_ sum: inout Sum) {
    sum.add(point)
    sum.add(timestamp)
    sum.add(stopTime)
  }
}

extension ConsumableTrafficPolyline: Touchable {
  func touch(_ sum: inout Sum) {
    sum.add(speedReadingInterval)
    sum.add(encodedPathToWaypoint)
  }
}

extension SpeedReadingInterval: Touchable {
  func touch(_ sum: inout Sum) {
    sum.add(startPolylinePointIndex)
    sum.add(endPolylinePointIndex)
    sum.add(speed)
  }
}

extension TripAttribute: Touchable {
  func touch(_ sum: inout Sum) {
    sum.add(key)
    switch tripAttributeValue {
    case .stringValue(let value): sum.add(value)
    case .boolValue(let value): sum.add(value)
    case .numberValue(let value): sum.add(value)
    case nil: break
    }
  }
}

extension LatLng: Touchable {
  func touch(_ sum: inout Sum) {
    sum.add(latitude)
    sum.add(longitude)
  }
}

extension Timestamp: Touchable {
  func touch(_ sum: inout Sum) {
    sum.add(Double(seconds))
    sum.add(nanos)
  }
}

extension WireDuration: Touchable {
  func touch(_ sum: inout Sum) {
    sum.add(Double(seconds))
    sum.add(nanos)
  }
}
