import DynamicProtobuf
import Recording
import Tripwire
import WireGRPC
import WireProtobuf

/// A log entry of Fleet Engine, under the names of any of its variants.
struct CloudLogEntry {
  private let members: [String: Value]
  private let payload: [String: Value]
  /// "type.googleapis.com/maps.fleetengine.v1.UpdateTripLog", or the name of the member with the call; empty if
  /// there is none.
  let type: String

  /// - Parameter text: a JSON object.
  init(_ text: [UInt8]) throws(CloudLogError) {
    let object = try mapError(Struct(jsonUTF8Bytes: text)) { (error: JSONDecodingError) in
      CloudLogError("invalid JSON: \(error.reason) (line \(error.line) of the entry)")
    }
    members = object.plainMembers
    // A table of BigQuery has a column for each method.
    var call = object.fields.first { name, value in
      CloudLogNames.plain(name).hasPrefix("jsonpayload") && value.structValue != nil
    }
    if call == nil, members["@type"] == nil {
      call = object.fields.first { _, value in
        value.members.map { $0["request"] != nil || $0["response"] != nil } ?? false
      }
    }
    payload = call?.value.members ?? members
    let type = payload["@type"] ?? (call == nil ? nil : payload["type"])
    let name = call.flatMap { CloudLogNames.plain($0.key) == "jsonpayload" ? nil : $0.key }
    self.type = type?.text ?? name ?? ""
  }

  /// Whether the entry is the part of another that is kept for a shorter time.
  var isRestricted: Bool { !parentInsertID.isEmpty }

  /// Whether tripwire derived the entry from another one of the same file.
  var isDerived: Bool { labels?["tripwire"] == "derived" }

  /// Whether the entry has a part of a call.
  var isCall: Bool { payload["request"] != nil || payload["response"] != nil }

  var insertID: String { members["insertid"]?.text ?? "" }
  var parentInsertID: String { payload["parentinsertid"]?.text ?? "" }

  var response: Struct? { payload["response"]?.structValue }

  var time: Timestamp {
    get throws(CloudLogError) {
      let times = [
        members["timestamp"], members["servertime"], payload["timestamp"],
        members["receivetimestamp"],
      ]
      guard var text = times.compactMap({ $0?.text ?? $0?.members?["value"]?.text }).first else {
        throw CloudLogError("timestamp is missing")
      }
      // BigQuery writes "2026-11-21 10:00:00.5 UTC".
      let parts = text.split(separator: " ")
      if parts.count > 1 { text = "\(parts[0])T\(parts[1])Z" }
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

  // MARK: Request

  /// Returns the request with the names that it has in the API. The logs have IDs in their place.
  func request(of method: CloudLogMethod) -> Struct {
    var request = payload["request"]?.structValue ?? Struct()
    let type = method.descriptor.input
    if type["parent"] != nil {
      request.complete("parent", provider.map { "providers/\($0)" })
      if type[method.idField] != nil {
        let id = id(of: method, in: request)
        request.complete(method.idField, id)
      }
    } else if type["name"] != nil {
      let name = resourceName(of: method, in: request)
      request.complete("name", name)
    } else {
      let key = request.key(method.kind.field)
      var resource = request.fields[key]?.structValue ?? Struct()
      resource.complete("name", resourceName(of: method, in: request))
      request.fields[key] = Value(kind: .structValue(resource))
    }
    return request
  }

  /// The name of the resource in the response, "providers/p/trips/t1"; empty if it has none.
  private var responseName: String { response?["name"] ?? "" }

  private var labels: Struct? { members["labels"]?.structValue }

  private func id(of method: CloudLogMethod, in request: Struct) -> String? {
    request[method.idField] ?? labels?[method.idField]
      ?? responseName.split(separator: "/").dropFirst(3).first.map(String.init)
  }

  private func resourceName(of method: CloudLogMethod, in request: Struct) -> String? {
    if ResourceKind(ofName: responseName) == method.kind { return responseName }
    guard let provider, let id = id(of: method, in: request) else { return nil }
    return "providers/\(provider)/\(method.kind.rawValue)/\(id)"
  }

  private var provider: String? {
    let parts = responseName.split(separator: "/")
    if parts.count == 4 { return String(parts[1]) }
    return members["logname"]?.text?.split(separator: "/").dropFirst().first.map(String.init)
  }
}

extension Struct {
  /// The members by their plain names; see ``CloudLogNames/plain(_:)``.
  fileprivate var plainMembers: [String: Value] {
    Dictionary(fields.map { (CloudLogNames.plain($0.key), $0.value) }) { first, _ in first }
  }

  /// The text of a member, whose name may have another form here.
  fileprivate subscript(name: String) -> String? { fields[key(name)]?.text }

  /// Returns the name that a member has here; `name` if there is none.
  fileprivate func key(_ name: String) -> String {
    if fields[name] != nil { return name }
    let plain = CloudLogNames.plain(name)
    return fields.keys.first { CloudLogNames.plain($0) == plain } ?? name
  }

  /// Sets a member that is missing or empty.
  fileprivate mutating func complete(_ name: String, _ text: String?) {
    let key = key(name)
    guard let text, fields[key]?.text ?? "" == "" else { return }
    fields[key] = Value(kind: .stringValue(text))
  }
}

extension Value {
  /// A whole number that is not negative.
  fileprivate var number: Int? { numberValue.flatMap { $0 < 0 ? nil : Int(exactly: $0) } }

  fileprivate var members: [String: Value]? { structValue?.plainMembers }
}
