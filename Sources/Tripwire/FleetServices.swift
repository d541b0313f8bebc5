/// The services of Fleet Engine for one provider.
///
///     import Tripwire
///
///     let fleet = try FleetServices(
///       providerID: "my-project", tokenProvider: FileToken(path: "token.jwt"))
///     let trip = try await fleet.tripService.getTrip(fleet.tripName("t1"))
///     print(
///       trip.tripStatus, trip.remainingDistanceMeters.map { "\($0) m" } ?? "distance unknown")
///
/// All its services share one ``/WireGRPCClient/Channel``. The first call connects it, and it is closed when the
/// last copy of this value is released.
public struct FleetServices: Sendable {
  /// The address of Fleet Engine, which uses TLS.
  public static let defaultEndpoint = "fleetengine.googleapis.com:443"

  /// The Cloud project that owns the trips, vehicles and tasks.
  public let providerID: String
  public let tripService: TripService
  public let vehicleService: VehicleService
  public let deliveryService: DeliveryService
  private let channel: Channel

  /// Creates the services. Nothing is dialed before the first call.
  ///
  /// - Parameters:
  ///   - providerID: "my-project" of "providers/my-project/trips/t1".
  ///   - endpoint: `host:port`, or any other target of ``/WireGRPCClient/Channel``.
  ///   - tokenProvider: returns the tokens of calls, which ``TokenCache`` keeps; nil sends calls
  ///     without a token.
  ///   - configuration: limits, trace, and TLS or plaintext:
  ///     `ChannelConfiguration(security: .plaintext)` for a server without TLS.
  /// - Throws: ``/WireGRPCClient/CallError`` if the endpoint is malformed or the TLS configuration is invalid.
  public init(
    providerID: String, endpoint: String = defaultEndpoint,
    tokenProvider: (any AuthTokenProvider)? = nil,
    configuration: ChannelConfiguration = ChannelConfiguration()
  ) throws(CallError) {
    channel = try Channel(target: endpoint, configuration: configuration)
    let client = FleetClient(channel: channel, tokenProvider: tokenProvider)
    self.providerID = providerID
    tripService = TripService(client: client)
    vehicleService = VehicleService(client: client)
    deliveryService = DeliveryService(client: client)
  }

  /// Returns the name of one of this provider's trips.
  ///
  /// - Throws: ``ResourceNameError`` if the ID breaks the rules of ``TripName``.
  public func tripName(_ id: String) throws(ResourceNameError) -> TripName {
    try TripName(providerID: providerID, tripID: id)
  }

  /// Returns the name of one of this provider's vehicles.
  ///
  /// - Throws: ``ResourceNameError`` if the ID breaks the rules of ``TripName``.
  public func vehicleName(_ id: String) throws(ResourceNameError) -> VehicleName {
    try VehicleName(providerID: providerID, vehicleID: id)
  }

  /// Returns the name of one of this provider's tasks.
  ///
  /// - Throws: ``ResourceNameError`` if the ID breaks the rules of ``TripName``.
  public func taskName(_ id: String) throws(ResourceNameError) -> TaskName {
    try TaskName(providerID: providerID, taskID: id)
  }

  /// Returns the name of one of this provider's delivery vehicles.
  ///
  /// - Throws: ``ResourceNameError`` if the ID breaks the rules of ``TripName``.
  public func deliveryVehicleName(_ id: String) throws(ResourceNameError) -> DeliveryVehicleName {
    try DeliveryVehicleName(providerID: providerID, deliveryVehicleID: id)
  }

  /// Returns the name of what the recipient of a shipment may know about it.
  ///
  /// - Throws: ``ResourceNameError`` if the ID breaks the rules of ``TripName``.
  public func taskTrackingInfoName(
    _ trackingID: String
  ) throws(ResourceNameError) -> TaskTrackingInfoName {
    try TaskTrackingInfoName(providerID: providerID, trackingID: trackingID)
  }

  /// Waits up to 30 seconds for the calls in flight, cancels the rest, and closes the connection (see
  /// ``/WireGRPCClient/Channel/close(grace:)``). Later calls fail with UNAVAILABLE, and trip models stop polling.
  public func close() async {
    await channel.close()
  }
}
