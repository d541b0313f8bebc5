/// The Swift names of an enum's values: the names in the .proto file without the enum's own name, before or
/// after.
///
/// In `TripStatus` `UNKNOWN_TRIP_STATUS` becomes `unknown`, in `WaypointType`
/// `PICKUP_WAYPOINT_TYPE` becomes `pickup`, in `TripView` `TRIP_VIEW_UNSPECIFIED` becomes
/// `unspecified`.
enum EnumCaseNames {
  static func names(of values: [(name: String, number: Int)], in enumName: String) -> [String] {
    let affix = shouted(enumName)
    let stripped = values.map { value in
      (name: SwiftNames.lowerCamel(strip(affix, from: value.name)), number: value.number)
    }
    let whole = values.map { (name: SwiftNames.lowerCamel($0.name), number: $0.number) }
    // If two values would get the same name, all keep their full names.
    let isUnique = Set(stripped.map(\.name)).count == values.count
    let free = (isUnique ? stripped : whole).map { name, number in
      let isTaken = takenMembers.contains(name) || SwiftNames.casesOfOptional.contains(name)
      return (isTaken ? name + "Value" : name, number)
    }
    return SwiftNames.unique(free).map(SwiftNames.escaped)
  }

  /// Members that every enum has, and names that are special even in backticks.
  private static let takenMembers: Set<String> = [
    "allCases", "enumName", "hashValue", "init", "name", "rawValue", "self", "unrecognized",
  ]

  private static func strip(_ affix: String, from name: String) -> String {
    var rest = Substring(name)
    if name.hasPrefix(affix + "_") {
      rest = name.dropFirst(affix.count + 1)
    } else if name.hasSuffix("_" + affix) {
      rest = name.dropLast(affix.count + 1)
    }
    // `VERSION_2` in `Version` keeps its name, because `2` is not a name.
    return rest.first?.isLetter == true ? String(rest) : name
  }

  /// `TripStatus` -> `TRIP_STATUS`.
  private static func shouted(_ name: String) -> String {
    var result = ""
    var previous: Character = "_"
    for character in name {
      if character.isUppercase, previous != "_", !previous.isUppercase { result += "_" }
      result += character.uppercased()
      previous = character
    }
    return result
  }
}
