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

extension SearchCriteria {
  /// Rejects options that the request has no field for, and combinations that the API rejects.
  ///
  /// - Parameter word: before the collection on the command line: "search" or "--search".
  func check(
    for collection: String, after word: String, _ line: ParsedCommandLine
  ) throws(UsageError) {
    let ofVehicles = near.place == nil ? SearchMethod.listVehicles : .searchVehicles
    guard
      let method = collection == "vehicles" ? ofVehicles : SearchMethod(rawValue: collection)
    else { return }
    let given = Self.users.filter { line.sources[$0.option] != nil }
    for (option, users) in given where !users.contains(method) {
      let collections = SearchMethod.allCases.filter(users.contains).map(\.collection)
      guard collections.contains(collection) else {
        throw .conflict(
          "--\(option)", "\(word) \(collection)",
          hint: "remove --\(option), or \(word.hasPrefix("-") ? "pass " : "")\(word) "
            + SearchQuery.collections.filter(collections.contains).joined(conjunction: "or"))
      }
      throw method == .searchVehicles
        ? .conflict("--\(option)", "--near") : .requirement(of: "--\(option)", "--near")
    }
    if near.place == nil, near.radius != nil { throw .requirement(of: "--radius", "--near") }
    if method == .searchVehicles { try checkSearchVehicles() }
  }

  private func checkSearchVehicles() throws(UsageError) {
    let isShared = tripTypes.contains(.shared)
    if tripTypes.count > 1 {
      throw UsageError(
        message: "--near takes one --trip-type", options: ["trip-type"],
        hint: "pass --trip-type exclusive or --trip-type shared")
    }
    if near.isBackToBack, isShared { throw .conflict("--back-to-back", "--trip-type shared") }
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

  /// The options, with the methods that have a field for them.
  private static let users: [(option: String, users: Set<SearchMethod>)] = [
    ("vehicle", [.trips]), ("active", [.trips]), ("minimum-staleness", [.trips]),
    ("maximum-staleness", vehicleMethods),
    ("filter", vehicleMethods.union([.tasks, .listDeliveryVehicles])),
    ("attribute", vehicleMethods), ("one-of-attributes", vehicleMethods),
    ("one-of-attribute-sets", vehicleMethods), ("state", [.listVehicles]),
    ("on-trip", [.listVehicles]),
    ("capacity", vehicleMethods), ("vehicle-type", vehicleMethods), ("trip-type", vehicleMethods),
    ("viewport", [.listVehicles, .listDeliveryVehicles]),
    ("page-size", Set(SearchMethod.allCases).subtracting([.searchVehicles])),
    ("near", [.searchVehicles, .listDeliveryVehicles]),
    ("radius", [.searchVehicles, .listDeliveryVehicles]), ("dropoff", [.searchVehicles]),
    ("order-by", [.searchVehicles]), ("current-trips", [.searchVehicles]),
    ("back-to-back", [.searchVehicles]), ("trip", [.searchVehicles]),
  ]

  private static let vehicleMethods: Set<SearchMethod> = [.listVehicles, .searchVehicles]
}
