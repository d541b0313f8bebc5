public import Foundation
public import Tripwire
import WireSystem

/// The entry point of the Consumer SDK's API. Set the token provider and the project once, and then
/// use ``shared()``.
///
///     GMTCServices.setAccessTokenProvider(SampleAccessTokenProvider(), providerID: "my-project")
///     let tripModel = GMTCServices.shared().tripService.tripModel(
///       forTripName: "providers/my-project/trips/t1")
///     tripModel.register(self)
///
/// Subscribers are called on the main queue. A program without UIKit must run it with
/// `RunLoop.main.run()`, `dispatchMain()` or an `async` main function.
public final class GMTCServices: NSObject, Sendable {
  private struct Setup {
    var provider: TokenProvider?
    /// Replaces the provider and the endpoint.
    var source: (any TripSource)?
    var providerID = ""
    var endpoint = FleetServices.defaultEndpoint
    var configuration = ChannelConfiguration()
    /// Created from the other properties on first use.
    var shared: GMTCServices?
  }

  private static let setup = Locked(Setup())

  /// Follows trips.
  public let tripService: GMTCTripService

  private init(_ setup: Setup) {
    tripService = GMTCTripService(Self.fleet(setup))
  }

  /// Sets the token provider and the Cloud project of the trips. Call it first. Another call
  /// creates new services; existing trip models keep the old ones.
  public class func setAccessTokenProvider(
    _ provider: any GMTCAuthorization, providerID: String
  ) {
    let provider = TokenProvider(provider)
    change {
      $0.provider = provider
      $0.source = nil
      $0.providerID = providerID
    }
  }

  /// Not in the SDK: sets the address of a server other than Fleet Engine. May be called before or
  /// after ``setAccessTokenProvider(_:providerID:)``, and applies to trip models that are created
  /// later.
  ///
  ///     try GMTCServices.setEndpoint(
  ///       "127.0.0.1:50051", configuration: ChannelConfiguration(security: .plaintext))
  ///
  /// Does not connect yet.
  ///
  /// - Parameters:
  ///   - endpoint: `host:port`, or any other target of Tripwire's `Channel`.
  ///   - configuration: TLS or plaintext, proxy, limits, trace.
  /// - Throws: `CallError` if the endpoint is malformed or the TLS configuration is invalid; then
  ///   nothing changes.
  public class func setEndpoint(
    _ endpoint: String, configuration: ChannelConfiguration = ChannelConfiguration()
  ) throws(CallError) {
    _ = try FleetServices(providerID: "", endpoint: endpoint, configuration: configuration)
    change {
      $0.endpoint = endpoint
      $0.configuration = configuration
    }
  }

  /// Not in the SDK: takes trips from a source, such as a relay, instead of polling. Replaces the access
  /// token provider. Applies to trip models that are created later.
  public class func setTripSource(_ source: any TripSource, providerID: String) {
    change {
      $0.source = source
      $0.providerID = providerID
    }
  }

  /// The services. If neither a token provider nor a trip source was set, every model of a trip with a valid
  /// name fails with FAILED_PRECONDITION. The SDK throws an exception in this case.
  public class func shared() -> GMTCServices {
    setup.withLock { setup in
      if let shared = setup.shared { return shared }
      let shared = GMTCServices(setup)
      setup.shared = shared
      return shared
    }
  }

  private class func change(_ body: (inout Setup) -> Void) {
    // Released after the lock.
    let old = setup.withLock { setup in
      body(&setup)
      return setup.shared.take()
    }
    withExtendedLifetime(old) {}
  }

  private static func fleet(_ setup: Setup) -> FleetServices {
    do throws(CallError) {
      if let source = setup.source {
        return try FleetServices(providerID: setup.providerID, source: source)
      }
      guard let provider = setup.provider else {
        throw CallError(
          code: .failedPrecondition,
          message: "call GMTCServices.setAccessTokenProvider(_:providerID:) first", origin: .local)
      }
      return try FleetServices(
        providerID: setup.providerID, endpoint: setup.endpoint, tokenProvider: provider,
        configuration: setup.configuration)
    } catch {
      return FleetServices(failing: error)
    }
  }

  // MARK: Versions

  /// The version of this package.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  public class func SDKVersion() -> String { libraryVersion }

  /// The version of this package, and its name.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  public class func SDKLongVersion() -> String { "\(libraryVersion) (tripwire)" }

  /// Does nothing: this package reports nothing.
  public class func setAbnormalTerminationReportingEnabled(_ enabled: Bool) {}
}
