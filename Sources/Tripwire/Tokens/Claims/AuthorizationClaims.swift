public import WireProtobuf

/// The permissions of a JWT: Fleet Engine's private claim `authorization`. IDs are bare, such as
/// "t1" for "providers/p/trips/t1"; `*` means all.
///
/// Whether the server accepts a claim depends on the role of the signing account in the Cloud
/// project.
public struct AuthorizationClaims: Sendable, Hashable {
  /// The claims by name, such as `tripid`. Those of Fleet Engine are strings, except `taskids`, an
  /// array of strings. Others may be any JSON value.
  public let values: [String: Value]

  /// Creates any claims: `.custom(["taskids": ["t1", "t2"]])`.
  public static func custom(_ values: [String: Value]) -> AuthorizationClaims {
    AuthorizationClaims(values: values)
  }

  /// The claims of a rider's app: one trip. Signed by a service account with the role Fleet Engine
  /// Consumer SDK User.
  public static func consumer(tripID: String) -> AuthorizationClaims {
    .custom(["tripid": "\(tripID)"])
  }

  /// The claims of a driver's app: one vehicle. Signed by a service account with the role Fleet Engine
  /// Driver SDK User.
  public static func driver(vehicleID: String) -> AuthorizationClaims {
    .custom(["vehicleid": "\(vehicleID)"])
  }

  /// The claims of a backend: all trips and vehicles. Not for apps. Signed by a service account with
  /// the role Fleet Engine Service Super User.
  public static let server = AuthorizationClaims.custom(["tripid": "*", "vehicleid": "*"])

  /// The claims of a fleet overview: everything. Not for apps.
  public static let fleetReader = AuthorizationClaims(
    values: Dictionary(ResourceKind.allCases.map { ($0.claim, "*") }) { first, _ in first })

  /// The claims of a delivery backend: all tasks, tracking IDs and delivery vehicles, with `taskids` to
  /// create several tasks at once. Not for apps. Signed by a service account with the role Fleet Engine
  /// Delivery Super User.
  public static let deliveryServer = AuthorizationClaims.custom([
    "deliveryvehicleid": "*", "taskid": "*", "taskids": ["*"], "trackingid": "*",
  ])

  /// The claims of a delivery recipient: one task. Signed by a service account with the role Fleet
  /// Engine Delivery Consumer User.
  public static func deliveryConsumer(taskID: String) -> AuthorizationClaims {
    .custom(["taskid": "\(taskID)"])
  }

  /// The claims of a delivery recipient: the tasks of one tracking ID.
  public static func deliveryConsumer(trackingID: String) -> AuthorizationClaims {
    .custom(["trackingid": "\(trackingID)"])
  }

  /// The claims of a delivery driver with an untrusted device: one vehicle.
  public static func untrustedDeliveryDriver(deliveryVehicleID: String) -> AuthorizationClaims {
    .custom(["deliveryvehicleid": "\(deliveryVehicleID)"])
  }

  /// The claims of a delivery driver with a trusted device: one vehicle and its tasks.
  public static func trustedDeliveryDriver(
    deliveryVehicleID: String, taskID: String = "*"
  ) -> AuthorizationClaims {
    .custom(["deliveryvehicleid": "\(deliveryVehicleID)", "taskid": "\(taskID)"])
  }

  /// Creates the minimal claims for a call: the IDs of its context, or those of a server if there are
  /// none.
  public init(for context: AuthorizationContext) {
    var values: [String: Value] = [:]
    for kind in ResourceKind.allCases {
      if let id = context[kind] { values[kind.claim] = "\(id)" }
    }
    if !context.taskIDs.isEmpty {
      let ids: [Value] = context.taskIDs.map { "\($0)" }
      values[Self.array] = Value(kind: .listValue(ListValue(values: ids)))
    }
    self = values.isEmpty ? .server : .custom(values)
  }

  private init(values: [String: Value]) {
    self.values = values
  }
}

extension AuthorizationClaims {
  /// The claims that Fleet Engine knows.
  package static let known = Set(ResourceKind.allCases.map(\.claim) + [array]).sorted()
  /// The claim that is an array of strings.
  package static let array = "taskids"

  /// Returns the error in the name or value of a claim and how to correct it; nil if the claim is
  /// valid.
  package static func problem(_ name: String, _ value: Value) -> (reason: String, cure: String)? {
    if name.isEmpty { return ("has no name", "write NAME=VALUE, such as tripid=t1") }
    if name != name.lowercased() {
      return ("must be in lower case", "write \(name.lowercased())")
    }
    switch value.kind {
    case .stringValue(let id)? where name != array && known.contains(name):
      return problem(ofID: id)
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
        ? ("is not a string", "set it to an ID, or to * for all") : nil
    }
  }

  private static let arrayWanted = (
    reason: "is not an array of strings",
    cure: "set it to an array of IDs, or to [\"*\"] for all"
  )

  private static func problem(ofID id: String) -> (reason: String, cure: String)? {
    if id.isEmpty { return ("is empty", "set it to an ID, or to * for all") }
    guard id.contains("/") else { return nil }
    let bare = lastSegment(of: id) ?? "t1"
    return ("is a resource name", "use only the ID \(bare)")
  }

  /// Returns the claims that cover every trip, vehicle or task, which no app should have. The
  /// `taskid` of a delivery driver may be `*` if the claims name one vehicle, as for a trusted
  /// device.
  package static func wildcards(in values: [String: Value]) -> Set<String> {
    var names = Set(values.keys.filter { values[$0]?.ids.contains("*") == true })
    if let vehicle = values["deliveryvehicleid"]?.text, vehicle != "*" { names.remove("taskid") }
    return names
  }

  /// Returns the claims of a JWT for Fleet Engine, in JSON.
  ///
  /// - Parameters:
  ///   - issuer: the account that signs.
  ///   - lifetime: in seconds, 1 to 3600.
  ///   - time: when the token is issued, in seconds since 1970.
  /// - Throws: ``TokenError/badClaim(name:reason:)`` for a claim that Fleet Engine would reject.
  package func payload(
    issuer: String, audience: String, lifetime: Double, at time: Double
  ) throws(TokenError) -> String {
    try check()
    guard (1...ServiceAccountKey.longestLifetime).contains(lifetime) else {
      throw .badClaim(
        name: "exp", reason: "must be 1 to 3600 seconds after iat, not \(lifetime)")
    }
    // Times are integers, because not every reader of JWTs accepts fractions.
    guard let start = Int64(exactly: time.rounded(.down)), start.magnitude < 1 << 53 else {
      throw .badClaim(name: "iat", reason: "must be seconds since 1970, not \(time)")
    }
    return JSONWriter.object { json in
      json.member("aud", audience)
      json.member("authorization", json: self.json)
      json.member("exp", start + Int64(lifetime))
      json.member("iat", start)
      json.member("iss", issuer)
      json.member("sub", issuer)
    }
  }

  private func check() throws(TokenError) {
    if values.isEmpty { throw .badClaim(name: "authorization", reason: "is empty") }
    for name in values.keys.sorted() {
      if let (reason, cure) = Self.problem(name, values[name] ?? Value()) {
        throw .badClaim(name: name, reason: "\(reason): \(cure)")
      }
    }
  }

  private var json: String { Value(kind: .structValue(Struct(fields: values))).plainJSON }
}
