import FleetEngineAPI

/// An attribute of a resource.
protocol Attribute {
  var key: String { get }
  /// The value as text, as filters compare it (Fleet Engine reference, `filter`).
  var text: String { get }
}

extension VehicleAttribute: Attribute {
  var text: String {
    switch vehicleAttributeValue {
    case .stringValue(let text)?: text
    case .boolValue(let value)?: "\(value)"
    case .numberValue(let value)?: value.attributeText
    case nil: value
    }
  }

  /// With both forms of a text value set where one is.
  var completed: VehicleAttribute {
    var attribute = self
    if !value.isEmpty, vehicleAttributeValue == nil {
      attribute.vehicleAttributeValue = .stringValue(value)
    } else if case .stringValue(let text)? = vehicleAttributeValue {
      attribute.value = text
    }
    return attribute
  }
}

extension TripAttribute: Attribute {
  var text: String {
    switch tripAttributeValue {
    case .stringValue(let text)?: text
    case .boolValue(let value)?: "\(value)"
    case .numberValue(let value)?: value.attributeText
    case nil: ""
    }
  }
}

extension Double {
  /// Without decimals if it is a whole number.
  var attributeText: String { Int64(exactly: self).map { "\($0)" } ?? "\(self)" }
}

extension Violations {
  /// The limits of a resource (Fleet Engine reference, `attributes`).
  static let mostAttributes = 100
  private static let longestAttribute = 256

  mutating func requireAttributes(_ attributes: [some Attribute], _ field: String) {
    require(
      attributes.count <= Self.mostAttributes, field,
      "has more than \(Self.mostAttributes) attributes")
    require(Set(attributes.map(\.key)).count == attributes.count, field, "has a key twice")
    for (index, attribute) in attributes.enumerated() {
      let field = "\(field)[\(index)]"
      require(!attribute.key.isEmpty, "\(field).key")
      require(!attribute.key.contains(":"), "\(field).key", "contains a colon")
      require(
        attribute.key.count + 1 + attribute.text.count <= Self.longestAttribute, field,
        "has more than \(Self.longestAttribute) characters as \"key:value\"")
      guard let attribute = attribute as? VehicleAttribute else { continue }
      require(
        attribute.value.isEmpty || attribute.text == attribute.value, field,
        "has a value that differs from its string_value")
    }
  }
}
