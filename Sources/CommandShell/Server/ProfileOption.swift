package import CommandLine

package enum ProfileOption {
  package static let standard =
    "Default: the profile that 'tripwire config use' selected, or else the profile named \"default\"."

  package static let all: [Option<String?>] = [
    .value(
      "profile", "NAME", environment: "TRIPWIRE_PROFILE", .common,
      "use the settings of this profile\n'tripwire config --help' explains profiles. \(standard)",
      parse: Parse.profileName, store: { $0 = $1 }
    ).inFullHelpOnly()
  ]
}

extension Parse {
  /// Parses the name of a profile: letters, digits, `-`, `_` and `.`.
  static func profileName(_ text: String) throws(InvalidValue) -> String {
    let isName = text.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        || "-_.".unicodeScalars.contains(scalar)
    }
    guard !text.isEmpty, isName, text.first != "-", text.utf8.count <= 64 else {
      throw InvalidValue("expected a name of letters, digits, - and _, such as staging")
    }
    return text
  }
}
