import FleetEngineAPI
import TestSupport
import Testing
import WireGRPC
import WireGRPCClient

@testable import Tripwire

/// A timeout for busy machines.
private let longTimeout = CallOptions(timeout: .seconds(3600))

@Suite struct FleetServicesTests {
  /// A token provider that always fails with an error.
  private struct Failing: AuthTokenProvider {
    let error: any Error
    func token(for context: AuthorizationContext) async throws -> AuthToken { throw error }
  }

  private struct MissingKey: Error, CustomStringConvertible {
    var description: String { "the key is missing" }
  }

  /// A `URLError`.
  private struct TimedOut: Error, CustomStringConvertible {
    let _domain = "NSURLErrorDomain"
    let _code = -1001
    let description = "the key is missing: timeout"
  }

  private func fleet(_ provider: any AuthTokenProvider) throws -> FleetServices {
    try FleetServices(
      providerID: "p", endpoint: "127.0.0.1:1", tokenProvider: provider,
      configuration: ChannelConfiguration(security: .plaintext, failFast: true))
  }

  @Test func namesHaveTheProviderID() throws {
    let fleet = try fleet(FixedToken("t"))
    #expect(try fleet.tripName("t1").description == "providers/p/trips/t1")
    #expect(try fleet.vehicleName("v1").description == "providers/p/vehicles/v1")
    #expect(throws: ResourceNameError.self) { try fleet.tripName("a/b") }
  }

  /// A status with server origin from a token provider must not be mistaken for the server's (gRFC
  /// A54).
  @Test(
    arguments: [
      (MissingKey() as any Error, .unauthenticated),
      (CallError(code: .notFound, message: "the key is missing", origin: .server), .internal),
      (CallError(code: .unavailable, message: "the key is missing", origin: .server), .unavailable),
      (TimedOut(), .unavailable),
    ] as [(any Error, StatusCode)])
  func tokenErrorFailsTheCall(cause: any Error, code: StatusCode) async throws {
    let fleet = try fleet(Failing(error: cause))
    let name = try fleet.tripName("t1")
    let error = await #expect(throws: CallError.self) {
      try await fleet.tripService.getTrip(name, options: longTimeout)
    }
    #expect(error?.code == code)
    #expect(error?.message.contains("the key is missing") == true)
    #expect(error?.origin == .local)
    #expect(error?.attempts == 0)
    #expect(error?.path == "/maps.fleetengine.v1.TripService/GetTrip")
    #expect(error?.underlyingError.map { "\($0)" } == "\(cause)")
    #expect(error?.underlyingError.map { type(of: $0) == type(of: cause) } == true)
  }

  @Test func deadlineAppliesToTheToken() async throws {
    struct Stuck: AuthTokenProvider {
      let uncancellable = UncancellableTask()
      func token(for context: AuthorizationContext) async throws -> AuthToken {
        await uncancellable.wait()
        return ""
      }
    }
    let provider = Stuck()
    defer { provider.uncancellable.finish() }
    let fleet = try fleet(provider)
    let name = try fleet.tripName("t1")
    let error = await #expect(throws: CallError.self) {
      try await fleet.tripService.getTrip(name, options: CallOptions(timeout: .milliseconds(20)))
    }
    #expect(error?.code == .deadlineExceeded)
    #expect(error?.message.contains("token provider") == true)
    #expect(error?.path == "/maps.fleetengine.v1.TripService/GetTrip")
  }

  @Test func invalidTokenFailsTheCallWithoutBeingPrinted() async throws {
    struct Bad: AuthTokenProvider {
      func token(for context: AuthorizationContext) async throws -> AuthToken { "hush hush" }
    }
    let fleet = try fleet(Bad())
    let name = try fleet.vehicleName("v1")
    let error = await #expect(throws: CallError.self) {
      try await fleet.vehicleService.getVehicle(name, options: longTimeout)
    }
    #expect(error?.code == .unauthenticated)
    #expect(error?.message.contains("hush") == false)
  }

  @Test func callIsCanceledWhileItWaitsForAToken() async throws {
    let fleet = try fleet(Failing(error: CancellationError()))
    let name = try fleet.tripName("t1")
    let error = await #expect(throws: CallError.self) {
      try await fleet.tripService.getTrip(name, options: longTimeout)
    }
    #expect(error?.code == .cancelled)
  }

  @Test func tokenProviderReceivesTheResource() async throws {
    struct Recorder: AuthTokenProvider {
      let expected: AuthorizationContext
      func token(for context: AuthorizationContext) async throws -> AuthToken {
        #expect(context == expected)
        throw MissingKey()
      }
    }
    let trip = try TripName("providers/p/trips/t1")
    let forTrip = try fleet(
      Recorder(
        expected: AuthorizationContext(resourceName: trip.description, tripID: "t1")))
    await #expect(throws: CallError.self) {
      try await forTrip.tripService.getTrip(trip, options: longTimeout)
    }

    let vehicle = try VehicleName("providers/p/vehicles/v1")
    let forVehicle = try fleet(
      Recorder(
        expected: AuthorizationContext(resourceName: vehicle.description, vehicleID: "v1")))
    await #expect(throws: CallError.self) {
      try await forVehicle.vehicleService.getVehicle(vehicle)
    }
  }
}
