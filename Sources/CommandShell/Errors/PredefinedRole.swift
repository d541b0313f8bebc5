/// The roles of Google Cloud that hold permissions, from the reference of IAM and the guides of Fleet Engine.
enum PredefinedRole {
  static let tokenCreator = "iam.serviceAccountTokenCreator"

  /// Returns the name of the narrowest role, without "roles/"; nil if it is unknown.
  ///
  /// The roles ondemandAdmin and deliveryAdmin are suggested for access tokens only, which have no claims: Fleet Engine
  /// ignores the claims of their JWTs.
  static func name(for permission: String, ofAccessToken: Bool) -> String? {
    if ofAccessToken, permission.hasPrefix("fleetengine.") {
      let isOnDemand = ["fleetengine.trips.", "fleetengine.vehicles."].contains {
        permission.hasPrefix($0)
      }
      return isOnDemand ? "fleetengine.ondemandAdmin" : "fleetengine.deliveryAdmin"
    }
    return switch permission {
    case "fleetengine.trips.get", "fleetengine.vehicles.get", "fleetengine.vehicles.search",
      "fleetengine.vehicles.searchFuzzed":
      "fleetengine.consumerSdkUser"
    case "fleetengine.trips.search", "fleetengine.trips.update",
      "fleetengine.vehicles.updateLocation":
      "fleetengine.driverSdkUser"
    case "fleetengine.trips.create", "fleetengine.trips.delete", "fleetengine.trips.updateState",
      "fleetengine.vehicles.create", "fleetengine.vehicles.delete", "fleetengine.vehicles.list",
      "fleetengine.vehicles.update":
      "fleetengine.serviceSuperUser"
    case "fleetengine.tasktrackinginfo.get", "fleetengine.tasks.searchWithTrackingId":
      "fleetengine.deliveryConsumer"
    case "fleetengine.deliveryvehicles.updateLocation":
      "fleetengine.deliveryUntrustedDriver"
    case "fleetengine.deliveryvehicles.get", "fleetengine.deliveryvehicles.list",
      "fleetengine.tasks.get", "fleetengine.tasks.list":
      "fleetengine.deliveryFleetReader"
    case "fleetengine.deliveryvehicles.create", "fleetengine.deliveryvehicles.update",
      "fleetengine.deliveryvehicles.updateVehicleStops", "fleetengine.tasks.create",
      "fleetengine.tasks.update":
      "fleetengine.deliveryTrustedDriver"
    case "fleetengine.deliveryvehicles.delete", "fleetengine.tasks.delete":
      "fleetengine.deliverySuperUser"
    case "iam.serviceAccounts.getAccessToken", "iam.serviceAccounts.getOpenIdToken",
      "iam.serviceAccounts.implicitDelegation", "iam.serviceAccounts.signBlob",
      "iam.serviceAccounts.signJwt":
      tokenCreator
    case "logging.logEntries.list":
      "logging.viewer"
    case "serviceusage.services.use":
      "serviceusage.serviceUsageConsumer"
    default: nil
    }
  }
}
