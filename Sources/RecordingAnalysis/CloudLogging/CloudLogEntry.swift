import DynamicProtobuf
import Recording
import Tripwire
import WireGRPC
import WireProtobuf

/// A log entry of Fleet Engine, under the names of any of its variants.
struct CloudLogEntry {
  /// The JSON of the entry.
  private let text: [UInt8]
  private let members: Members
  /// The object with the call.
  private let payload: Members
  /// "type.googleapis.com/maps.fleetengine.v1.UpdateTripLog", or the plain name of the member with the call; empty if
  /// there is none.
  let type: String

  /// The members of an object by their plain names; see ``CloudLogNames/plain(_:)``.
  private struct Members {
    /// The members with values that are needed.
    private static let names = Set(
      [
        "@type", "type", "insertid", "parentinsertid", "name", "logname", "labels", "timestamp",
        "servertime", "receivetimestamp", "errorresponse",
      ] + ResourceKind.allCases.map { CloudLogNames.plain($0.idField) })

    var values: [String: Value] = [:]
    /// The other objects.
    var objects: [String: Members] = [:]
    /// The parts of a call that are no objects, as they are spelled.
    var misfits: [String] = []
    /// How the object is spelled.
    var name = ""
    /// Where the object is in the text.
    var range = 0..<0

    init() {}

    /// - Parameter depth: how many levels of objects are read.
    init(
      _ reader: inout JSONReader, named name: String = "", depth: Int
    ) throws(JSONDecodingError.Reason) {
      self.name = name
      _ = reader.peek()
      let start = reader.offset
      try reader.members { reader, spelling throws(JSONDecodingError.Reason) in
        let name = CloudLogNames.plain(spelling)
        if Self.names.contains(name) {
          var value = Value()
          try value.readJSON(from: &reader)
          values[name] = value
        } else if depth > 0, reader.peek() == UInt8(ascii: "{") {
          objects[name] = try Members(&reader, named: spelling, depth: depth - 1)
        } else {
          let isPart = name == "request" || name == "response" || name == "jsonpayload"
          if isPart, ![UInt8(ascii: "{"), UInt8(ascii: "n")].contains(reader.peek()) {
            misfits.append(spelling)
          }
          try reader.skipValue()
        }
      }
      range = start..<reader.offset
    }

    var isCall: Bool { objects["request"] != nil || objects["response"] != nil }

    func text(_ name: String) -> String { values[name]?.text ?? "" }
  }

  /// - Parameter text: a JSON object.
  init(_ text: [UInt8]) throws(CloudLogError) {
    var members = Members()
    do throws(JSONDecodingError) {
      // The entry, the payload, and the request or the response.
      try JSONReader.read(text.span) { reader throws(JSONDecodingError.Reason) in
        members = try Members(&reader, depth: 2)
      }
    } catch {
      throw CloudLogError("invalid JSON: \(error.reason.text) (line \(error.line) of the entry)")
    }
    self.text = text
    self.members = members
    // A table of BigQuery has a column for each method.
    var call = members.objects.first { $0.key.hasPrefix("jsonpayload") }
    if call == nil, members.values["@type"] == nil {
      call = members.objects.first { $0.value.isCall }
    }
    payload = call?.value ?? members
    let type = payload.values["@type"] ?? (call == nil ? nil : payload.values["type"])
    self.type = type?.text ?? call.flatMap { $0.key == "jsonpayload" ? nil : $0.value.name } ?? ""
  }

  /// The parts that cannot be read, and why.
  var problems: [String] {
    let misfits = members.misfits + (payload.range == members.range ? [] : payload.misfits)
    var problems = misfits.map { "\($0): expected an object" }
    if let labels = members.values["labels"], !labels.isNull, labels.structValue == nil {
      problems.append("labels: expected an object")
    }
    for (name, spelling) in [("insertid", "insertId"), ("logname", "logName")] {
      if let value = members.values[name], !value.isNull, value.text == nil {
        problems.append("\(spelling): expected a string")
      }
    }
    return problems
  }

  /// Whether tripwire derived the entry from another one of the same file.
  var isDerived: Bool { label("tripwire") == "derived" }

  /// Whether the entry has a part of a call.
  var isCall: Bool { payload.isCall || errorResponse != nil }

  /// Insert IDs are unique in a project.
  struct ID: Hashable {
    /// Empty if it is not known.
    let project: String
    let insertID: String
  }

  /// Nil without an insert ID.
  var id: ID? { id("insertid", of: members) }
  /// The entry of which this one is a part.
  var parentID: ID? { id("parentinsertid", of: payload) }

  private func id(_ name: String, of members: Members) -> ID? {
    let insertID = members.text(name)
    return insertID.isEmpty ? nil : ID(project: project, insertID: insertID)
  }

  private var project: String {
    let name = members.text("logname").utf8Span.span
    return name.text(name.segment(from: name.segment(from: 0).upperBound + 1)) ?? ""
  }

  /// The JSON of the request; an empty object if there is none.
  var request: [UInt8] { text(of: "request") ?? Array("{}".utf8) }
  var response: [UInt8]? { text(of: "response") }

  private func text(of name: String) -> [UInt8]? {
    payload.objects[name].map { Array(text[$0.range]) }
  }

  var time: Timestamp {
    get throws(CloudLogError) {
      let times = [
        members.values["timestamp"], members.values["servertime"], payload.values["timestamp"],
        members.values["receivetimestamp"],
      ]
      guard let value = times.compactMap(\.self).first(where: { !$0.isNull }) else {
        throw CloudLogError("timestamp is missing")
      }
      guard let time = Timestamp(logged: value) else {
        throw CloudLogError("timestamp: expected a time such as 2026-11-21T10:00:00Z")
      }
      return time
    }
  }

  /// The error of the call; nil if it succeeded.
  private var errorResponse: Value? {
    // BigQuery has the members of a missing error, too.
    guard let error = payload.values["errorresponse"], !error.isDefault else { return nil }
    return error
  }

  /// The status of the call, and why it may be another one.
  var status: (trailer: BinlogTrailer, problem: String?) {
    guard let value = errorResponse else { return (BinlogTrailer(), nil) }
    guard let error = value.structValue else {
      return (
        BinlogTrailer(
          statusCode: UInt32(StatusCode.unknown.rawValue), statusMessage: value.text ?? ""),
        "errorResponse: expected an object; UNKNOWN is assumed"
      )
    }
    let (code, problem) = Self.status(of: error)
    return (
      BinlogTrailer(
        statusCode: UInt32(clamping: code.rawValue), statusMessage: error.text("message") ?? ""),
      problem.map { "errorResponse.\($0); \(code) is assumed" }
    )
  }

  private static func status(of error: Struct) -> (StatusCode, problem: String?) {
    let code = error.fields["code"].flatMap { $0.isDefault ? Value?.none : $0 }
    let number = code?.wholeNumber
    if let known = code?.text.flatMap(StatusCode.names.firstIndex(of:)) ?? number,
      StatusCode.names.indices.contains(known)
    {
      return (StatusCode(rawValue: known), nil)
    }
    let http =
      error.fields.first { CloudLogNames.plain($0.key) == "httpstatuscode" }?.value.wholeNumber
      ?? number
    let status = StatusCode.names.indices.lazy.map { StatusCode(rawValue: $0) }.first {
      $0.httpStatus == http
    }
    guard let code else { return (status ?? .unknown, "code is missing") }
    let text = code.text ?? number?.description ?? "the value"
    return (status ?? .unknown, "code: \(text.prefix(40)) is not a status")
  }

  // MARK: Request

  /// Returns the parts of the request that the API has. The logs have IDs in their place.
  func defaults(of method: CloudLogMethod) -> [CloudLogMessages.Default] {
    let type = method.descriptor.input
    let parts: [(path: [String], text: String?)] =
      if type["parent"] != nil {
        [(["parent"], provider.map { "providers/\($0)" })]
          + (type[method.idField] == nil ? [] : [([method.idField], id(of: method))])
      } else {
        [((type["name"] == nil ? [method.kind.field] : []) + ["name"], resourceName(of: method))]
      }
    return parts.compactMap { path, text in
      text.map { CloudLogMessages.Default(path: path[...], text: $0) }
    }
  }

  /// The name of the resource in the response, "providers/p/trips/t1"; empty if it has none.
  private var responseName: String { payload.objects["response"]?.text("name") ?? "" }

  private func label(_ name: String) -> String? {
    let name = CloudLogNames.plain(name)
    return members.values["labels"]?.structValue?.fields.first {
      CloudLogNames.plain($0.key) == name
    }?.value.text
  }

  private func id(of method: CloudLogMethod) -> String? {
    payload.objects["request"]?.values[CloudLogNames.plain(method.idField)]?.text
      ?? label(method.idField)
      ?? responseName.split(separator: "/").dropFirst(3).first.map(String.init)
  }

  private func resourceName(of method: CloudLogMethod) -> String? {
    if ResourceKind(ofName: responseName) == method.kind { return responseName }
    guard let provider, let id = id(of: method) else { return nil }
    return "providers/\(provider)/\(method.kind.rawValue)/\(id)"
  }

  private var provider: String? {
    let parts = responseName.split(separator: "/")
    if parts.count == 4 { return String(parts[1]) }
    return project.isEmpty ? nil : project
  }
}

extension Value {
  fileprivate var isNull: Bool {
    if case .nullValue = kind { true } else { false }
  }
}

extension Value {
  /// The number in a number or a text.
  fileprivate var wholeNumber: Int? {
    text.flatMap { Int($0) } ?? numberValue.flatMap { Int(exactly: $0) }
  }

  /// Whether it is null or empty, or 0.
  fileprivate var isDefault: Bool {
    switch kind {
    case .structValue(let object): object.fields.values.allSatisfy(\.isDefault)
    case .listValue(let list): list.values.isEmpty
    default: isNull || text == "" || kind == .numberValue(0)
    }
  }
}
