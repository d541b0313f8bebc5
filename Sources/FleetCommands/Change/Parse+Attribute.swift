import CommandLine
import Tripwire

extension Parse {
  /// Parses `KEY=VALUE`. VALUE is a number or a boolean in JSON, or a string.
  static func attribute(_ text: String) throws(InvalidValue) -> VehicleAttribute {
    let form = "KEY=VALUE, such as color=red"
    let (key, _, value) = try namedValue(text, of: ChangeOptions.attribute, form: form)
    guard !key.isEmpty else { throw InvalidValue("expected \(form)") }
    guard !key.unicodeScalars.contains(":") else {
      throw InvalidValue("a key must not contain a colon")
    }
    var attribute = VehicleAttribute(key: key)
    switch value.kind {
    case .stringValue(let text): attribute.vehicleAttributeValue = .stringValue(text)
    case .numberValue(let number): attribute.vehicleAttributeValue = .numberValue(number)
    case .boolValue(let isSet): attribute.vehicleAttributeValue = .boolValue(isSet)
    default: throw InvalidValue("expected a string, a number or a boolean")
    }
    return attribute
  }
}
