public import Foundation
public import Tripwire
import WireSystem

/// The door to the Consumer SDK's names: tell it once where tokens come from and whose trips they are
/// for, then ask ``shared()`` for them.
///
///     GMTCServices.setAccessTokenProvider(SampleAccessTokenProvider(), providerID: "my-project")
///     let tripModel = GMTCServices.shared().tripService.tripModel(
///       forTripName: "providers/my-project/trips/t1")
///     tripModel.register(self)
///
/// Subscribers are called on the main thread: a program without an app around it has to run it, with
/// `RunLoop.main.run()`, `dispatchMain()` or an `async` main function.
public final class GMTCServices: NSObject, Sendable {
  private struct Setup {
    var provider: TokenProvider?
    var providerID = ""
    var endpoint = FleetServices.defaultEndpoint
    var configuration = ChannelConfiguration()
    /// Made from the others when it is first asked for.
    var shared: GMTCServices?
  }

  private static let setup = Locked(Setup())

  public let tripService: GMTCTripService

  private init(_ setup: Setup) {
    tripService = GMTCTripService(Self.fleet(setup))
  }

  /// Where tokens come from, and the Cloud project whose trips are asked for. Comes before all else;
  /// called again, it makes other services, while trip models of those before go on as they are.
  public class func setAccessTokenProvider(
    _ provider: any GMTCAuthorization, providerID: String
  ) {
    let provider = TokenProvider(provider)
    change {
      $0.provider = provider
      $0.providerID = providerID
    }
  }

  /// Ours, not the SDK's: where the server is, if it is not Fleet Engine itself. May come before or
  /// after ``setAccessTokenProvider(_:providerID:)``, and counts for trip models that are made later.
  ///
  ///     try GMTCServices.setEndpoint(
  ///       "127.0.0.1:50051", configuration: ChannelConfiguration(security: .plaintext))
  ///
  /// - Parameters:
  ///   - endpoint: `host:port`; all that `Channel` of Tripwire takes.
  ///   - configuration: TLS or plaintext, proxy, limits, trace.
  /// - Throws: `CallError` when the endpoint is malformed or the TLS configuration cannot be used;
  ///   all is as before then. Nothing is dialled yet.
  public class func setEndpoint(
    _ endpoint: String, configuration: ChannelConfiguration = ChannelConfiguration()
  ) throws(CallError) {
    _ = try FleetServices(providerID: "", endpoint: endpoint, configuration: configuration)
    change {
      $0.endpoint = endpoint
      $0.configuration = configuration
    }
  }

  /// The services. Where no provider was set, which the SDK throws an exception for, every trip model
  /// fails with FAILED_PRECONDITION.
  public class func shared() -> GMTCServices {
    setup.withLock { setup in
      if let shared = setup.shared { return shared }
      let shared = GMTCServices(setup)
      setup.shared = shared
      return shared
    }
  }

  private class func change(_ body: (inout Setup) -> Void) {
    // Let go when the lock is.
    let old = setup.withLock { setup in
      body(&setup)
      return setup.shared.take()
    }
    withExtendedLifetime(old) {}
  }

  private static func fleet(_ setup: Setup) -> Result<FleetServices, CallError> {
    guard let provider = setup.provider else {
      return .failure(
        CallError(
          code: .failedPrecondition,
          message: "call GMTCServices.setAccessTokenProvider(_:providerID:) first", origin: .local))
    }
    return Result { () throws(CallError) in
      try FleetServices(
        providerID: setup.providerID, endpoint: setup.endpoint, tokenProvider: provider,
        configuration: setup.configuration)
    }
  }

  // MARK: Versions

  /// The version of this package.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  public class func SDKVersion() -> String { libraryVersion }

  /// The version of this package, and its name.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  public class func SDKLongVersion() -> String { "\(libraryVersion) (tripwire)" }

  /// Nothing is reported here, whatever is set.
  public class func setAbnormalTerminationReportingEnabled(_ enabled: Bool) {}
}
