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
  /// - Parameters:
  ///   - given: the claims of the command line, by name.
  ///   - custom: the names of the claims that --claim sets.
  func claims(
    _ given: [String: Value], custom: Set<String> = []
  ) throws(UsageError) -> [String: Value] {
    switch self {
    case .consumer: return try only(["tripid"], given, custom)
    case .driver: return try only(["vehicleid"], given, custom)
    case .server: return try all(AuthorizationClaims.server.values, given, custom)
    case .deliveryServer: return try all(AuthorizationClaims.deliveryServer.values, given, custom)
    case .fleetReader: return try all(AuthorizationClaims.fleetReader.values, given, custom)
    case .deliveryConsumer:
      return try only(given["trackingid"] == nil ? ["taskid"] : ["trackingid"], given, custom)
    case .untrustedDeliveryDriver: return try only(["deliveryvehicleid"], given, custom)
    case .trustedDeliveryDriver:
      return try only(
        ["deliveryvehicleid", "taskid"], given.merging(["taskid": "*"]) { given, _ in given },
        custom)
    }
  }

  /// Requires exactly these claims.
  private func only(
    _ names: [String], _ given: [String: Value], _ custom: Set<String>
  ) throws(UsageError) -> [String: Value] {
    for name in names where given[name] == nil {
      let option = MintOptions.option(for: name)
      let other = self == .deliveryConsumer ? " or --tracking ID" : ""
      throw .requirement(of: "--role \(rawValue)", "--\(option) ID\(other)", orRemove: "--role")
    }
    if let extra = given.keys.sorted().first(where: { !names.contains($0) }) {
      throw UsageError(
        message:
          "--role \(rawValue) cannot be used with \(MintOptions.optionText(for: extra, custom))",
        hint: "remove --role to mint a token with other claims")
    }
    return given
  }

  /// Returns the claims of a role that sets all its claims, and accepts no others.
  private func all(
    _ claims: [String: Value], _ given: [String: Value], _ custom: Set<String>
  ) throws(UsageError) -> [String: Value] {
    guard let extra = given.keys.min() else { return claims }
    let option = MintOptions.optionText(for: extra, custom)
    throw UsageError(
      message: "--role \(rawValue) cannot be used with \(option): the role sets the claims itself",
      hint: "remove \(option), or remove --role")
  }
}
