public import WireProtobuf

/// What a JWT lets its bearer do: Fleet Engine's private claim `authorization`. IDs are bare, "t1" of
/// "providers/p/trips/t1"; `*` is every one.
///
/// Whether the server takes it depends on the role that the signing account has in the Cloud project.
public struct AuthorizationClaims: Sendable, Hashable {
  /// By their names in the claim, such as `tripid`: a string each, but for `taskids`, which is an array of
  /// strings.
  public let values: [String: Value]

  /// Any claims: `.custom(["taskids": ["t1", "t2"]])`.
  public static func custom(_ values: [String: Value]) -> AuthorizationClaims {
    AuthorizationClaims(values: values)
  }

  /// A rider's app: one trip. Signed by a Fleet Engine Consumer SDK User.
  public static func consumer(tripID: String) -> AuthorizationClaims {
    .custom(["tripid": "\(tripID)"])
  }

  /// A driver's app: one vehicle. Signed by a Fleet Engine Driver SDK User.
  public static func driver(vehicleID: String) -> AuthorizationClaims {
    .custom(["vehicleid": "\(vehicleID)"])
  }

  /// A backend: every trip and vehicle. Not for apps. Signed by a Fleet Engine Service Super User.
  public static let server = AuthorizationClaims.custom(["tripid": "*", "vehicleid": "*"])

  /// A fleet's overview: everything. Not for apps.
  public static let fleetReader = AuthorizationClaims.custom([
    "tripid": "*", "vehicleid": "*", "taskid": "*", "trackingid": "*", "deliveryvehicleid": "*",
  ])

  /// A backend of deliveries: every task, tracking ID and delivery vehicle, with `taskids` for the creation
  /// of several tasks at once. Not for apps. Signed by a Fleet Engine Delivery Super User.
  public static let deliveryServer = AuthorizationClaims.custom([
    "deliveryvehicleid": "*", "taskid": "*", "taskids": ["*"], "trackingid": "*",
  ])

  /// Who awaits a delivery: one task. Signed by a Fleet Engine Delivery Consumer User.
  public static func deliveryConsumer(taskID: String) -> AuthorizationClaims {
    .custom(["taskid": "\(taskID)"])
  }

  /// Who awaits a delivery: the tasks of one tracking ID.
  public static func deliveryConsumer(trackingID: String) -> AuthorizationClaims {
    .custom(["trackingid": "\(trackingID)"])
  }

  /// A delivery driver whose device is not trusted: one vehicle.
  public static func untrustedDeliveryDriver(deliveryVehicleID: String) -> AuthorizationClaims {
    .custom(["deliveryvehicleid": "\(deliveryVehicleID)"])
  }

  /// A delivery driver whose device is trusted: one vehicle and its tasks.
  public static func trustedDeliveryDriver(
    deliveryVehicleID: String, taskID: String = "*"
  ) -> AuthorizationClaims {
    .custom(["deliveryvehicleid": "\(deliveryVehicleID)", "taskid": "\(taskID)"])
  }

  /// What a call needs at least: a consumer's for a trip, a driver's for a vehicle, else a server's.
  public init(for context: AuthorizationContext) {
    if let tripID = context.tripID {
      self = .consumer(tripID: tripID)
    } else if let vehicleID = context.vehicleID {
      self = .driver(vehicleID: vehicleID)
    } else {
      self = .server
    }
  }

  private init(values: [String: Value]) {
    self.values = values
  }
}

extension AuthorizationClaims {
  /// The claims that Fleet Engine knows.
  package static let known = [
    "deliveryvehicleid", "taskid", "taskids", "trackingid", "tripid", "vehicleid",
  ]
  /// The one that is an array of strings.
  package static let array = "taskids"

  /// What is wrong with the name or the value of a claim, and what would be right; nil if nothing.
  package static func problem(_ name: String, _ value: Value) -> (reason: String, cure: String)? {
    if name.isEmpty { return ("has no name", "write NAME=VALUE, such as tripid=t1") }
    if name != name.lowercased() {
      return ("must be in lower case", "write \(name.lowercased())")
    }
    switch value.kind {
    case .stringValue(let id)? where name != array: return problem(ofID: id)
    case .listValue(let list)? where name == array:
      guard !list.values.isEmpty else { return ("is empty", "set it to the IDs, or to * for all") }
      for element in list.values {
        guard let id = element.text else { return arrayWanted }
        if let problem = problem(ofID: id) { return problem }
      }
      return nil
    default:
      if name == array { return arrayWanted }
      return known.contains(name)
        ? ("is not a string", "set it to the ID, or to * for all") : nil
    }
  }

  private static let arrayWanted = (
    reason: "is not an array of strings",
    cure: "set it to an array of IDs, or to [\"*\"] for all"
  )

  private static func problem(ofID id: String) -> (reason: String, cure: String)? {
    if id.isEmpty { return ("is empty", "set it to the ID, or to * for all") }
    guard id.contains("/") else { return nil }
    let bare = id.split(separator: "/").last.map(String.init) ?? "t1"
    return ("is a resource name", "use only the ID, \(bare)")
  }

  /// Those for every trip, vehicle or task, which no app is to have. The tasks of a delivery driver may
  /// be all of them, if the vehicle is one: the app of a driver whose device is trusted has such a token.
  package static func wildcards(in values: [String: Value]) -> Set<String> {
    var names = Set(values.keys.filter { values[$0]?.ids.contains("*") == true })
    if let vehicle = values["deliveryvehicleid"]?.text, vehicle != "*" { names.remove("taskid") }
    return names
  }

  func check() throws(TokenError) {
    if values.isEmpty { throw .badClaim(name: "authorization", reason: "is empty") }
    for name in values.keys.sorted() {
      if let (reason, cure) = Self.problem(name, values[name] ?? Value()) {
        throw .badClaim(name: name, reason: "\(reason): \(cure)")
      }
    }
  }

  var json: String { Value(kind: .structValue(Struct(fields: values))).claimJSON }
}
