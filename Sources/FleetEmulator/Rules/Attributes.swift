import FleetEngineAPI
import FleetEngineDeliveryAPI

/// An attribute of a resource.
protocol Attribute {
  var key: String { get }
  var stringValue: String? { get set }
  var boolValue: Bool? { get }
  var numberValue: Double? { get }
  /// A text in the form that only attributes of vehicles have; otherwise empty.
  var olderText: String { get }
}

extension Attribute {
  var olderText: String { "" }

  /// The value as text, as filters compare it (Fleet Engine reference, `filter`).
  var text: String {
    stringValue ?? boolValue.map { "\($0)" } ?? numberValue?.attributeText ?? olderText
  }
}

extension TripAttribute: Attribute {}
extension TaskAttribute: Attribute {}

/// An attribute of a vehicle of either API, with two forms of a text.
protocol AttributeOfVehicle: Attribute {
  var value: String { get set }
}

extension VehicleAttribute: AttributeOfVehicle {}
extension DeliveryVehicleAttribute: AttributeOfVehicle {}

extension AttributeOfVehicle {
  var olderText: String { value }

  /// With both forms of a text set where only one is.
  var completed: Self {
    var attribute = self
    if let stringValue, value.isEmpty {
      attribute.value = stringValue
    } else if stringValue == nil, boolValue == nil, numberValue == nil, !value.isEmpty {
      attribute.stringValue = value
    }
    return attribute
  }
}

extension Double {
  /// Without decimals if it is a whole number.
  fileprivate var attributeText: String { Int64(exactly: self).map { "\($0)" } ?? "\(self)" }
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
      require(!attribute.key.utf8.contains(UInt8(ascii: ":")), "\(field).key", "contains a colon")
      require(
        attribute.key.count + 1 + attribute.text.count <= Self.longestAttribute, field,
        "has more than \(Self.longestAttribute) characters as \"key:value\"")
      require(
        attribute.olderText.isEmpty || attribute.text == attribute.olderText, field,
        "has a value that differs from its string_value")
    }
  }
}
