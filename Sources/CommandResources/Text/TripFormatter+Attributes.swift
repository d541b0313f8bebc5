import CommandShell
import Tripwire

/// An attribute of a trip, a vehicle or a task, which has one of these values or none.
protocol Attribute {
  var key: String { get }
  var stringValue: String? { get }
  var boolValue: Bool? { get }
  var numberValue: Double? { get }
}

extension TripAttribute: Attribute {}
extension VehicleAttribute: Attribute {}
extension DeliveryVehicleAttribute: Attribute {}
extension TaskAttribute: Attribute {}

extension TripFormatter {
  /// Returns a line "key = value" for each attribute.
  ///
  /// - Parameter older: returns the value of an attribute that has it in an older field.
  func attributes<A: Attribute>(
    _ attributes: [A], older: (A) -> String = { _ in TextTable.unset }
  ) -> [String] {
    attributes.map { attribute in
      let value =
        attribute.stringValue ?? attribute.boolValue.map { String($0) }
        ?? attribute.numberValue.map { Units.trimmed(String($0)) } ?? older(attribute)
      return "\(attribute.key) = \(value)"
    }
  }
}
