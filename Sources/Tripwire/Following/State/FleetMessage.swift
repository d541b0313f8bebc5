package import WireProtobuf

/// The message of one kind of resource.
package protocol FleetMessage: FollowedResource {
  static var kind: ResourceKind { get }
  /// Returns the options of requests that correspond to those for a trip.
  static func requestOptions(_ options: TripRequestOptions) -> RequestOptions

  var resource: FleetResource { get }
  /// - Parameter time: when the resource was received. Durations count from it.
  func facts(at time: Timestamp?) -> ResourceFacts
  var locationOfVehicle: VehicleLocation? { get }
  /// The resource without fields that change with time alone.
  var withoutTimes: Self { get }
}

extension FleetMessage {
  /// The path of a method for the resource, such as "Update". The API may lack it.
  package static func path(of verb: String) -> String {
    "/\(getMethod.service)/\(verb)\(getMethod.method.dropFirst("Get".count))"
  }

  /// Returns the JSON names of the fields that differ from those of an older state.
  ///
  /// - Parameter old: the older state; nil or another kind counts as an empty resource.
  package func changedFields(since old: FleetResource?) -> [String] {
    let before = old?.message as? Self ?? Self()
    let changed = FieldMask(changedFieldsFrom: before.withoutTimes, to: withoutTimes).paths
    guard !changed.isEmpty else { return [] }
    return Self.fields.fields.filter { changed.contains("\($0.name)") }.map {
      "\($0.jsonName)"
    }
  }

  /// Only requests for trips have options.
  package static func requestOptions(_ options: TripRequestOptions) -> RequestOptions {
    RequestOptions()
  }
}

extension Trip: FleetMessage {
  package static var kind: ResourceKind { .trip }
  package static func requestOptions(_ options: TripRequestOptions) -> TripRequestOptions {
    options
  }
  package var resource: FleetResource { .trip(self) }
  package var locationOfVehicle: VehicleLocation? { lastLocation }
}

extension Vehicle: FleetMessage {
  package static var kind: ResourceKind { .vehicle }
  package var resource: FleetResource { .vehicle(self) }
  package var locationOfVehicle: VehicleLocation? { lastLocation }
}

extension DeliveryVehicle: FleetMessage {
  package static var kind: ResourceKind { .deliveryVehicle }
  package var resource: FleetResource { .deliveryVehicle(self) }
  package var locationOfVehicle: VehicleLocation? { lastLocation.map(VehicleLocation.init) }
}

extension DeliveryTask: FleetMessage {
  package static var kind: ResourceKind { .task }
  package var resource: FleetResource { .task(self) }
  package var locationOfVehicle: VehicleLocation? {
    journeySharingInfo?.lastLocation.map(VehicleLocation.init)
  }
}

extension TaskTrackingInfo: FleetMessage {
  package static var kind: ResourceKind { .taskTrackingInfo }
  package var resource: FleetResource { .taskTrackingInfo(self) }
  package var locationOfVehicle: VehicleLocation? { vehicleLocation.map(VehicleLocation.init) }
}

extension ResourceKind {
  package var messageType: any FleetMessage.Type {
    switch self {
    case .trip: Trip.self
    case .vehicle: Vehicle.self
    case .deliveryVehicle: DeliveryVehicle.self
    case .task: DeliveryTask.self
    case .taskTrackingInfo: TaskTrackingInfo.self
    }
  }

  /// The path of a method for the resource, such as "Update". The API may lack it.
  package func path(of verb: String) -> String { messageType.path(of: verb) }

  package var messageName: String { messageType.messageName }

  package var getPath: String { path(of: "Get") }
}
