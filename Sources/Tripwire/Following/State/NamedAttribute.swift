/// An attribute of any resource: its key, and the text of its value.
package struct NamedAttribute: Sendable {
  package let key: String
  /// The value as text; nil if no value is set.
  package let value: String?

  /// - Parameter older: the deprecated string field `value`.
  init(_ attribute: some Attribute, older: String? = nil) {
    key = attribute.key
    value =
      attribute.stringValue ?? attribute.boolValue.map { String($0) }
      ?? attribute.numberValue.map { number in
        Int(exactly: number).map { String($0) } ?? String(number)
      }
      ?? older
  }
}

/// An attribute message of Fleet Engine. At most one value is set.
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
