import Tripwire
import WireProtobuf

/// Whom a token is for, and which of its claims have to be said.
enum TokenRole: String, CaseIterable, Sendable {
  case consumer
  case driver
  case server
  case deliveryServer = "delivery-server"
  case fleetReader = "fleet-reader"
  case deliveryConsumer = "delivery-consumer"
  case untrustedDeliveryDriver = "delivery-driver-untrusted"
  case trustedDeliveryDriver = "delivery-driver-trusted"

  /// The claims of such a token.
  ///
  /// - Parameter given: by their names, what the command line says.
  func claims(_ given: [String: Value]) throws(UsageError) -> [String: Value] {
    switch self {
    case .consumer: return try only(["tripid"], given)
    case .driver: return try only(["vehicleid"], given)
    case .server: return try all(AuthorizationClaims.server.values, given)
    case .deliveryServer: return try all(AuthorizationClaims.deliveryServer.values, given)
    case .fleetReader: return try all(AuthorizationClaims.fleetReader.values, given)
    case .deliveryConsumer:
      return try only(given["trackingid"] == nil ? ["taskid"] : ["trackingid"], given)
    case .untrustedDeliveryDriver: return try only(["deliveryvehicleid"], given)
    case .trustedDeliveryDriver:
      return try only(
        ["deliveryvehicleid", "taskid"], given.merging(["taskid": "*"]) { given, _ in given })
    }
  }

  /// All of these, and no others.
  private func only(
    _ names: [String], _ given: [String: Value]
  ) throws(UsageError) -> [String: Value] {
    for name in names where given[name] == nil {
      let option = MintOptions.option(for: name)
      let other = self == .deliveryConsumer ? " or --tracking ID" : ""
      throw UsageError(message: "--role \(rawValue) requires --\(option) ID\(other)")
    }
    if let extra = given.keys.sorted().first(where: { !names.contains($0) }) {
      throw UsageError(
        message: "--role \(rawValue) cannot be used with the claim \(extra)",
        hint: "omit --role to mint a token with other claims")
    }
    return given
  }

  /// Everything: there is nothing to say.
  private func all(
    _ claims: [String: Value], _ given: [String: Value]
  ) throws(UsageError) -> [String: Value] {
    guard let extra = given.keys.min() else { return claims }
    throw UsageError(
      message:
        "--role \(rawValue) grants access to everything and cannot be used with the claim \(extra)",
      hint: "omit --role or the ID")
  }
}
