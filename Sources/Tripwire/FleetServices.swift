import WireGRPC
import WireIO

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
/// All its services share one ``/WireGRPCClient/Channel``. The first call connects it. It is closed by
/// ``close(grace:)``, or when all copies of this value, its services and its models are released.
public struct FleetServices: Sendable {
  /// The address of Fleet Engine, which uses TLS.
  public static let defaultEndpoint = "fleetengine.googleapis.com:443"

  /// The Cloud project that owns the trips, vehicles and tasks.
  public let providerID: String
  /// Calls the service of on-demand trips.
  public let tripService: TripService
  /// Calls the service of vehicles.
  public let vehicleService: VehicleService
  /// Calls the service of tasks and delivery vehicles.
  public let deliveryService: DeliveryService
  let client: FleetClient
  private let models: FleetModels

  /// Creates the services without connecting. The first call connects.
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
    let channel = try Channel(target: endpoint, configuration: configuration)
    let client = FleetClient(channel: channel, tokenProvider: tokenProvider)
    self.init(providerID, client, source: nil, loop: channel.loop)
  }

  /// Creates services whose models receive their trips from a source instead of polling.
  ///
  /// There is no server to call: ``TripService/getTrip(_:view:routeFormat:options:)`` and all other calls
  /// fail with FAILED_PRECONDITION. To make calls as well, create a second value without a source.
  ///
  /// - Parameters:
  ///   - providerID: "my-project" of "providers/my-project/trips/t1".
  ///   - source: reports the trips of all models. It is retained. A ``ResourceSource`` also reports the vehicles,
  ///     delivery vehicles, tasks and shipments; with another source, their models fail like calls.
  /// - Throws: ``/WireGRPCClient/CallError``, RESOURCE_EXHAUSTED if the system has no thread left.
  public init(providerID: String, source: any TripSource) throws(CallError) {
    guard EventLoop.ofSources != nil else {
      throw .local(.resourceExhausted, "the system has no thread left to follow trips")
    }
    self.init(providerID, source)
  }

  /// Creates services whose trips fail with an error.
  package init(failing error: CallError) {
    self.init("", FailingSource(error: error))
  }

  private init(_ providerID: String, _ source: any TripSource) {
    let client = FleetClient(channel: nil, tokenProvider: nil)
    self.init(providerID, client, source: source, loop: .ofSources)
  }

  private init(
    _ providerID: String, _ client: FleetClient, source: (any TripSource)?, loop: EventLoop?
  ) {
    let models = FleetModels(client: client, source: source, loop: loop)
    self.providerID = providerID
    self.client = client
    self.models = models
    tripService = TripService(client: client, models: models)
    vehicleService = VehicleService(client: client, models: models)
    deliveryService = DeliveryService(client: client, models: models)
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

  /// Returns the name of the tracking information of a shipment.
  ///
  /// - Throws: ``ResourceNameError`` if the ID breaks the rules of ``TripName``.
  public func taskTrackingInfoName(
    _ trackingID: String
  ) throws(ResourceNameError) -> TaskTrackingInfoName {
    try TaskTrackingInfoName(providerID: providerID, trackingID: trackingID)
  }

  /// Ends the models, waits for the calls in flight, and closes the connection (see
  /// ``/WireGRPCClient/Channel/close(grace:)``). Further calls of this method only wait.
  ///
  /// - The models of trips, vehicles and deliveries become inactive. Their failure is UNAVAILABLE, unless the
  ///   resource is final. Subscribers are notified. Loops over updates receive the failure and end; loops that begin
  ///   later do so, too. Polls in flight are canceled, and a source has stopped when this returns.
  /// - Calls that begin later fail with UNAVAILABLE. The kind of both errors is
  ///   ``/WireGRPCClient/CallError/Kind/client``.
  ///
  /// - Parameter grace: the time limit for calls in flight. Then they are canceled.
  public func close(grace: Duration = .seconds(30)) async {
    await models.close()
    await client.channel?.close(grace: grace)
  }
}

extension EventLoop {
  /// Asks the sources of all services. Nil if the system has no thread left.
  fileprivate static let ofSources = try? EventLoop.start(name: "trips")
}
