/// Fleet Engine for one provider: the door to this library.
///
///     import Tripwire
///
///     let fleet = try FleetServices(
///       providerID: "my-project", tokenProvider: FileToken(path: "token.jwt"))
///     let trip = try await fleet.tripService.getTrip(fleet.tripName("t1"))
///     print(trip.tripStatus, trip.remainingDistanceMeters ?? "unknown")
///
/// One connection carries the calls of all its services; it is made by the first call and closed
/// when the last copy is gone.
public struct FleetServices: Sendable {
  /// Fleet Engine's own address, with TLS.
  public static let defaultEndpoint = "fleetengine.googleapis.com:443"

  /// The Cloud project that owns the trips and vehicles.
  public let providerID: String
  public let tripService: TripService
  public let vehicleService: VehicleService
  private let channel: Channel

  /// - Parameters:
  ///   - providerID: "my-project" of "providers/my-project/trips/t1".
  ///   - endpoint: `host:port`; all that ``Channel`` takes.
  ///   - tokenProvider: asked for the tokens of calls, which are kept as ``TokenCache`` says; nil
  ///     sends calls without.
  ///   - configuration: limits, trace, and TLS or plaintext:
  ///     `ChannelConfiguration(security: .plaintext)` for a server without TLS.
  /// - Throws: ``CallError`` when the endpoint is malformed or the TLS configuration cannot be used.
  ///   Nothing is dialled yet.
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
  }

  /// The name of one of this provider's trips.
  ///
  /// - Throws: ``ResourceNameError`` when the ID breaks the rules of ``TripName``.
  public func tripName(_ id: String) throws(ResourceNameError) -> TripName {
    try TripName(providerID: providerID, tripID: id)
  }

  /// The name of one of this provider's vehicles.
  ///
  /// - Throws: ``ResourceNameError`` when the ID breaks the rules of ``TripName``.
  public func vehicleName(_ id: String) throws(ResourceNameError) -> VehicleName {
    try VehicleName(providerID: providerID, vehicleID: id)
  }

  /// Lets the calls in flight finish, then closes the connection. Calls made later fail with
  /// UNAVAILABLE.
  public func close() async {
    await channel.close()
  }
}
