import Tripwire
import WireProtobuf

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

  /// Returns the claims of such a token.
  ///
  /// - Parameter given: the claims of the command line, by name.
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

  /// Requires exactly these claims.
  private func only(
    _ names: [String], _ given: [String: Value]
  ) throws(UsageError) -> [String: Value] {
    for name in names where given[name] == nil {
      let option = MintOptions.option(for: name)
      let other = self == .deliveryConsumer ? " or --tracking ID" : ""
      throw .requirement(of: "--role \(rawValue)", "--\(option) ID\(other)", orRemove: "--role")
    }
    if let extra = given.keys.sorted().first(where: { !names.contains($0) }) {
      throw UsageError(
        message: "--role \(rawValue) cannot be used with \(MintOptions.optionText(for: extra))",
        hint: "remove --role to mint a token with other claims")
    }
    return given
  }

  /// Returns the claims of a role that grants access to everything, and accepts no others.
  private func all(
    _ claims: [String: Value], _ given: [String: Value]
  ) throws(UsageError) -> [String: Value] {
    guard let extra = given.keys.min() else { return claims }
    throw UsageError(
      message:
        "--role \(rawValue) cannot be used with \(MintOptions.optionText(for: extra)): the role already"
        + " grants access to everything",
      hint: "remove \(MintOptions.optionText(for: extra)), or remove --role")
  }
}
