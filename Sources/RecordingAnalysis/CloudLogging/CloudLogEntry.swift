import Recording
import WireGRPC
import WireProtobuf

/// A log entry of Fleet Engine, under the names of any of its variants.
struct CloudLogEntry {
  private let members: [String: Value]
  private let payload: [String: Value]
  /// "type.googleapis.com/maps.fleetengine.v1.UpdateTripLog", or the name of the member with the call.
  let type: String
  /// "UpdateTrip".
  let method: String

  /// - Parameter text: a JSON object.
  init(_ text: [UInt8]) throws(CloudLogError) {
    let object = try mapError(Struct(jsonUTF8Bytes: text)) { (error: JSONDecodingError) in
      CloudLogError("invalid JSON: \(error.reason) (line \(error.line) of the entry)")
    }
    members = object.plainMembers
    var payload = members["jsonpayload"]?.members ?? members
    var type = payload["@type"]?.text ?? ""
    if type.isEmpty {
      // Without a type, the name of the only member with a call says which it is: "updateVehicle".
      let call = object.fields.first { _, value in
        value.members.map { $0["request"] != nil || $0["response"] != nil } ?? false
      }
      if let call, members["jsonpayload"] == nil {
        type = call.key
        payload = call.value.members ?? [:]
      }
    }
    self.payload = payload
    self.type = type
    method = Self.method(ofType: type)
  }

  /// Returns "updatetrip", perhaps after "tos" or "restricted".
  private static func plainMethod(ofType type: String) -> String {
    // Some exports have it in another case or as "update_trip".
    var name = CloudLogNames.plain(type.split(separator: ".").last.map(String.init) ?? "")
    for suffix in ["restricted", "log", "restricted"] where name.hasSuffix(suffix) {
      name.removeLast(suffix.utf8.count)
    }
    return name
  }

  private static func method(ofType type: String) -> String {
    var plain = plainMethod(ofType: type)[...]
    let name = String(plain)
    for prefix in ["tos", "restricted"] where plain.hasPrefix(prefix) {
      plain = plain.dropFirst(prefix.utf8.count)
    }
    for verb in ["Create", "Get", "Update", "Delete", "Search", "List"]
    where plain.hasPrefix(CloudLogNames.plain(verb)) {
      let noun = plain.dropFirst(verb.utf8.count)
      for known in ["Trip", "Trips", "Vehicle", "Vehicles", "VehicleAttributes"]
      where CloudLogNames.plain(known) == noun {
        return verb + known
      }
    }
    return name
  }

  /// Whether the entry is a call of the services for deliveries, `maps.fleetengine.delivery.v1`.
  var isOfDelivery: Bool {
    // Older logs have them as types of maps.fleetengine.v1.
    let method = Self.plainMethod(ofType: type)
    return type.mentions("maps.fleetengine.delivery.")
      || ["task", "tasks", "tasktrackinginfo", "deliveryvehicle", "deliveryvehicles"].contains {
        method.hasSuffix($0)
      }
  }

  var isCreation: Bool { method.hasPrefix("Create") }

  private var isOfTrip: Bool { method.hasSuffix("Trip") }

  /// Whether the entry is the part of another that is kept for a shorter time.
  var isRestricted: Bool { !parentInsertID.isEmpty }

  /// Whether tripwire derived the entry from another one of the same file.
  var isDerived: Bool { members["labels"]?.members?["tripwire"]?.text == "derived" }

  var insertID: String { members["insertid"]?.text ?? "" }
  var parentInsertID: String { payload["parentinsertid"]?.text ?? "" }

  var request: Struct? { payload["request"]?.structValue }
  var response: Struct? { payload["response"]?.structValue }

  var time: Timestamp {
    get throws(CloudLogError) {
      let times = [
        members["timestamp"], members["servertime"], payload["timestamp"],
        members["receivetimestamp"],
      ]
      guard let text = times.compactMap({ $0?.text }).first else {
        throw CloudLogError("timestamp is missing")
      }
      do {
        return try Timestamp(jsonString: text.quotedAsJSON)
      } catch {
        throw CloudLogError("timestamp: expected a time such as 2026-11-21T10:00:00Z")
      }
    }
  }

  var status: BinlogTrailer {
    var trailer = BinlogTrailer()
    guard let error = payload["errorresponse"]?.members, !error.isEmpty else { return trailer }
    let code = error["code"]
    trailer.statusCode = UInt32(
      clamping:
        code?.text.flatMap(StatusCode.names.firstIndex(of:)) ?? code?.number
        ?? StatusCode.unknown.rawValue)
    trailer.statusMessage = error["message"]?.text ?? ""
    return trailer
  }

  var id: String? {
    let request = request?.plainMembers ?? [:]
    let labels = members["labels"]?.members ?? [:]
    let key = isOfTrip ? "tripid" : "vehicleid"
    return (request[key] ?? labels[key])?.text
  }

  /// Returns the name that the request has in the API: "providers/p/trips/t1", "providers/p".
  ///
  /// - Parameters:
  ///   - name: the resource name in the response; "" if there is none.
  ///   - isParent: whether the request has the name of the provider only.
  func resourceName(of name: String, isParent: Bool) -> String? {
    if name.isEmpty || isParent {
      let parts = name.split(separator: "/")
      let project = members["logname"]?.text?.split(separator: "/").dropFirst().first
      guard let provider = parts.count == 4 ? parts[1] : project else { return nil }
      if isParent { return "providers/\(provider)" }
      let collection = isOfTrip ? "trips" : "vehicles"
      return id.map { "providers/\(provider)/\(collection)/\($0)" }
    }
    return name
  }
}

extension Struct {
  /// The members by their names in lower case without underscores.
  var plainMembers: [String: Value] {
    Dictionary(fields.map { (CloudLogNames.plain($0.key), $0.value) }) { first, _ in first }
  }
}

extension Value {
  /// A whole number that is not negative.
  fileprivate var number: Int? { numberValue.flatMap { $0 < 0 ? nil : Int(exactly: $0) } }

  fileprivate var members: [String: Value]? { structValue?.plainMembers }
}
