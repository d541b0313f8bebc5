import CommandLine
import CommandShell
import Tripwire

/// A claim of the command line.
struct GivenClaim: Sendable {
  /// The option that sets it, safe for a terminal: "--trip", "--claim ids".
  let option: String
  /// The name in the token.
  let name: String
  let value: Value
}

/// The role of a token, which decides the claims that it requires.
enum TokenRole: String, CaseIterable, Sendable {
  case consumer
  case driver
  case server
  case deliveryServer = "delivery-server"
  case fleetReader = "fleet-reader"
  case deliveryConsumer = "delivery-consumer"
  case untrustedDeliveryDriver = "delivery-driver-untrusted"
  case trustedDeliveryDriver = "delivery-driver-trusted"

  /// The claims that the role sets itself.
  var claims: [String: Value] {
    switch self {
    case .server: AuthorizationClaims.server.values
    case .deliveryServer: AuthorizationClaims.deliveryServer.values
    case .fleetReader: AuthorizationClaims.fleetReader.values
    case .trustedDeliveryDriver: ["taskid": "*"]
    case .consumer, .driver, .deliveryConsumer, .untrustedDeliveryDriver: [:]
    }
  }

  /// - Throws: an error if a claim is missing that the role requires, or if the role does not allow one.
  func check(_ given: [GivenClaim]) throws(UsageError) {
    switch self {
    case .consumer: try check(given, required: "tripid")
    case .driver: try check(given, required: "vehicleid")
    case .deliveryConsumer:
      let hasTracking = given.contains { $0.name == "trackingid" }
      try check(given, required: hasTracking ? "trackingid" : "taskid")
    case .untrustedDeliveryDriver: try check(given, required: "deliveryvehicleid")
    case .trustedDeliveryDriver:
      try check(given, required: "deliveryvehicleid", optional: "taskid")
    case .server, .deliveryServer, .fleetReader:
      guard let option = given.min(by: { $0.name < $1.name })?.option else { return }
      throw UsageError(
        message:
          "--role \(rawValue) cannot be used with \(option): the role sets the claims itself",
        hint: "remove \(option), or remove --role")
    }
  }

  private func check(
    _ given: [GivenClaim], required: String, optional: String? = nil
  ) throws(UsageError) {
    let others = given.filter { $0.name != required && $0.name != optional }
    let extra = others.min { $0.name < $1.name }
    guard given.contains(where: { $0.name == required }) else {
      let other = self == .deliveryConsumer ? " or --tracking ID" : ""
      let option = "--\(ResourceKind(claim: required)?.option ?? "claim") ID\(other)"
      var error = UsageError.requirement(
        of: "--role \(rawValue)", option, orRemove: "--role")
      if let extra { error.hint = "replace \(extra.option) with \(option), or remove --role" }
      throw error
    }
    guard let extra else { return }
    throw UsageError(
      message: "--role \(rawValue) cannot be used with \(extra.option)",
      hint: "remove --role to mint a token with other claims")
  }
}
