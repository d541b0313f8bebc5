import Tripwire

/// Attributes of vehicles to search for.
struct AttributeList: Sendable {
  private let attributes: [(key: String, value: String)]

  /// - Parameter texts: `KEY:VALUE`. A key has no colon.
  init?(_ texts: [some StringProtocol]) {
    let pairs = texts.map {
      $0.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    }
    guard pairs.allSatisfy({ $0.count == 2 && !$0[0].isEmpty }) else { return nil }
    attributes = pairs.map { (String($0[0]), String($0[1])) }
  }

  /// The form of ListVehicles: "key1:value1|key2:value2".
  var text: String { attributes.map { "\($0.key):\($0.value)" }.joined(separator: "|") }

  /// The form of SearchVehicles.
  var message: VehicleAttributeList {
    VehicleAttributeList(
      attributes: attributes.map { key, value in
        VehicleAttribute(key: key, vehicleAttributeValue: .stringValue(value))
      })
  }
}
