import CommandLine
import Tripwire

/// A method that searches.
private enum SearchMethod: String, CaseIterable {
  case trips
  case listVehicles = "vehicles"
  case searchVehicles
  case tasks
  case listDeliveryVehicles = "delivery-vehicles"

  /// The operand of `tripwire search` for the resources that the method finds.
  var collection: String { self == .searchVehicles ? "vehicles" : rawValue }
}

extension SearchOptions {
  /// Rejects options that the request has no field for, and combinations that the API rejects.
  func check(for collection: String) throws(UsageError) {
    let ofVehicles = near.place == nil ? SearchMethod.listVehicles : .searchVehicles
    guard
      let method = collection == "vehicles" ? ofVehicles : SearchMethod(rawValue: collection)
    else { return }
    for (option, users) in given where !users.contains(method) {
      let collections = SearchMethod.allCases.filter(users.contains).map(\.collection)
      guard collections.contains(collection) else {
        throw .conflict(
          "--\(option)", "search \(collection)",
          hint: "remove --\(option), or search \(Self.list(collections))")
      }
      throw method == .searchVehicles
        ? .conflict("--\(option)", "--near") : .requirement(of: "--\(option)", "--near")
    }
    if near.place == nil, near.radius != nil { throw .requirement(of: "--radius", "--near") }
    if near.place != nil, viewport != nil { throw .conflict("--viewport", "--near") }
    let attributeOptions = ["attribute", "one-of-attributes", "one-of-attribute-sets"]
    if filter != nil, let option = given.map(\.option).first(where: attributeOptions.contains) {
      throw .conflict("--\(option)", "--filter")
    }
    if method == .searchVehicles { try checkSearchVehicles() }
  }

  private func checkSearchVehicles() throws(UsageError) {
    let isShared = tripTypes.contains(.shared)
    if tripTypes.count > 1 {
      throw UsageError(
        message: "--near takes one --trip-type", options: ["trip-type"],
        hint: "pass --trip-type exclusive or --trip-type shared")
    }
    if near.isBackToBack {
      if near.currentTrips != nil { throw .conflict("--back-to-back", "--current-trips") }
      if isShared { throw .conflict("--back-to-back", "--trip-type shared") }
    }
    if near.dropoff == nil {
      if isShared {
        throw .requirement(
          of: "--trip-type shared with --near", "--dropoff", orRemove: "--trip-type shared")
      }
      if near.order == .dropoffPointEta {
        throw .requirement(of: "--order-by dropoff-eta", "--dropoff")
      }
    }
  }

  /// The options on the command line, with the methods that have a field for them.
  private var given: [(option: String, users: Set<SearchMethod>)] {
    let ofVehicles: Set<SearchMethod> = [.listVehicles, .searchVehicles]
    let table: [(option: String, isGiven: Bool, users: Set<SearchMethod>)] = [
      ("vehicle", vehicleID != nil, [.trips]), ("active", isActive, [.trips]),
      ("minimum-staleness", minimumStaleness != nil, [.trips]),
      ("maximum-staleness", maximumStaleness != nil, ofVehicles),
      ("filter", filter != nil, ofVehicles.union([.tasks, .listDeliveryVehicles])),
      ("attribute", !attributes.isEmpty, ofVehicles),
      ("one-of-attributes", !oneOfAttributes.isEmpty, ofVehicles),
      ("one-of-attribute-sets", !oneOfAttributeSets.isEmpty, ofVehicles),
      ("state", state != nil, [.listVehicles]), ("on-trip", isOnTrip, [.listVehicles]),
      ("capacity", capacity != nil, ofVehicles), ("vehicle-type", !types.isEmpty, ofVehicles),
      ("trip-type", !tripTypes.isEmpty, ofVehicles),
      ("viewport", viewport != nil, [.listVehicles, .listDeliveryVehicles]),
      ("page-size", pageSize != nil, Set(SearchMethod.allCases).subtracting([.searchVehicles])),
      ("near", near.place != nil, [.searchVehicles, .listDeliveryVehicles]),
      ("radius", near.radius != nil, [.searchVehicles, .listDeliveryVehicles]),
      ("dropoff", near.dropoff != nil, [.searchVehicles]),
      ("order-by", near.order != nil, [.searchVehicles]),
      ("current-trips", near.currentTrips != nil, [.searchVehicles]),
      ("back-to-back", near.isBackToBack, [.searchVehicles]),
      ("trip", near.tripID != nil, [.searchVehicles]),
    ]
    return table.filter(\.isGiven).map { ($0.option, $0.users) }
  }

  /// Returns "trips", or "vehicles, tasks or delivery-vehicles".
  private static func list(_ collections: [String]) -> String {
    let names = SearchRequest.collections.filter(collections.contains)
    return [names.dropLast().joined(separator: ", "), names.last ?? ""]
      .filter { !$0.isEmpty }.joined(separator: " or ")
  }
}
