import FleetEngineAPI

/// The attributes that a search or a list of vehicles requires, in either form of the requests.
struct RequiredAttributes {
  /// An attribute that is required.
  struct Pair: Hashable {
    let key: String
    let text: String

    init(_ attribute: VehicleAttribute) { (key, text) = (attribute.key, attribute.text) }

    /// Parses `key:value`; nil for another form.
    init?(_ text: some StringProtocol) {
      guard let colon = text.firstIndex(of: ":") else { return nil }
      key = String(text[..<colon])
      self.text = String(text[text.index(after: colon)...])
    }
  }

  /// Those that a vehicle needs, all of them.
  var all: [Pair] = []
  /// Lists, of each of which it needs one.
  var oneOf: [[Pair]] = []
  /// Lists, of one of which it needs all; no condition if empty.
  var sets: [[Pair]] = []

  var isEmpty: Bool { all.isEmpty && oneOf.isEmpty && sets.isEmpty }

  init(_ request: SearchVehiclesRequest) {
    all = request.requiredAttributes.map(Pair.init)
    oneOf = request.requiredOneOfAttributes.map { $0.attributes.map(Pair.init) }
    sets = request.requiredOneOfAttributeSets.map { $0.attributes.map(Pair.init) }
  }

  /// - Throws: INVALID_ARGUMENT for the field of a text without a colon.
  init(_ request: ListVehiclesRequest) throws(EngineError) {
    all = try Self.pairs(request.requiredAttributes, "required_attributes")
    for text in request.requiredOneOfAttributes {
      oneOf.append(try Self.pairs(text.split(separator: "|"), "required_one_of_attributes"))
    }
    for text in request.requiredOneOfAttributeSets {
      sets.append(try Self.pairs(text.split(separator: "|"), "required_one_of_attribute_sets"))
    }
  }

  private static func pairs(
    _ texts: [some StringProtocol], _ field: String
  ) throws(EngineError) -> [Pair] {
    var pairs: [Pair] = []
    for text in texts {
      guard let pair = Pair(text) else { throw .invalid(field, "must have the form key:value") }
      pairs.append(pair)
    }
    return pairs
  }

  func matches(_ attributes: [VehicleAttribute]) -> Bool {
    let found = Set(attributes.map(Pair.init))
    return found.isSuperset(of: all) && oneOf.allSatisfy { !found.isDisjoint(with: $0) }
      && (sets.isEmpty || sets.contains { found.isSuperset(of: $0) })
  }
}

extension Violations {
  private static let mostRequired = 50

  mutating func requireFilter(_ filter: String, without attributes: RequiredAttributes) {
    require(
      filter.isEmpty || attributes.isEmpty, "filter", "cannot be combined with required attributes")
    require(
      attributes.all.count <= Self.mostRequired, "required_attributes",
      "are more than \(Self.mostRequired)")
  }
}
