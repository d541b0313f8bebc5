import DynamicProtobuf
package import Recording
import WireProtobuf

/// The calls in an export of Cloud Logging that Fleet Engine logged, as entries of a recording.
///
/// Each call has one time, that of its log entry, and was recorded by the server.
package struct CloudLog {
  /// The entries, in the order of their times.
  package private(set) var entries: [BinlogGrpcLogEntry] = []
  /// Entries that were left out, with the reason, the first ``warningLimit`` of them.
  package private(set) var warnings: [String] = []
  package private(set) var omittedCount = 0
  /// Fields that were left out of an entry because they cannot be read, with the reason, the first
  /// ``warningLimit`` of them.
  package private(set) var fieldWarnings: [String] = []
  package private(set) var unreadableFieldCount = 0
  /// How many other entries were left out because they are of deliveries.
  package private(set) var deliveryCount = 0
  /// How many fields the API does not have.
  package var unknownFieldCount: Int { names.unknownFieldCount }
  /// The first of their names.
  package var unknownFields: [String] { names.unknownFields }

  static let warningLimit = 10

  /// An entry with more fields that cannot be read is left out.
  private static let unreadableFieldLimit = 100

  /// In bytes. Cloud Logging limits entries to 256 KiB.
  private static let entryLimit = 4 << 20

  /// A call, and what is needed to complete it with the restricted part of its log.
  private struct Call {
    let time: Timestamp
    let insertID: String
    let method: ServiceDescriptor.Method
    var request: [UInt8]
    var response: [UInt8]?
    let status: BinlogTrailer
  }

  private let types: MessageTypes
  private var names: CloudLogNames
  /// The fields of the current entry that cannot be read.
  private var unreadable: [String] = []

  /// Reads all entries. Those that are not calls of Fleet Engine, or that are invalid, are left out.
  ///
  /// - Parameter text: JSON: an array of log entries, a data set of fleet-debugger, or a sequence of
  ///   objects.
  /// - Throws: an error if it has no such call.
  package init(_ text: [UInt8], _ types: MessageTypes) throws(CloudLogError) {
    self.types = types
    names = CloudLogNames(types.pool)
    let ranges = try CloudLogSplitter.entries(in: text)
    var calls: [Call] = []
    // The parts of calls that Google logs for a shorter time.
    var restricted: [String: Call] = [:]
    for (index, range) in ranges.enumerated() {
      do throws(CloudLogError) {
        guard range.count <= Self.entryLimit else {
          throw CloudLogError("longer than \(Self.entryLimit >> 20) MiB")
        }
        let entry = try CloudLogEntry(Array(text[range]))
        if entry.isDerived { continue }
        if entry.isOfDelivery {
          deliveryCount += 1
          continue
        }
        unreadable = []
        let call = try self.call(entry)
        reportFields(ofEntry: index + 1)
        if entry.isRestricted {
          restricted[entry.parentInsertID] = call
        } else {
          calls.append(call)
        }
      } catch {
        omittedCount += 1
        if warnings.count < Self.warningLimit {
          warnings.append("entry \(index + 1): \(error)")
        }
      }
    }
    guard !calls.isEmpty else {
      throw CloudLogError(reasonForNoCalls(in: ranges.count))
    }
    // A stable order: entries of the same time stay in the order of the file, oldest first.
    if let first = calls.first, let last = calls.last, last.time < first.time { calls.reverse() }
    let order = calls.indices.sorted {
      calls[$0].time == calls[$1].time ? $0 < $1 : calls[$0].time < calls[$1].time
    }
    for (number, index) in order.enumerated() {
      var call = calls[index]
      if let part = restricted[call.insertID], !call.insertID.isEmpty {
        // Fields of the second message complete those of the first (protobuf's encoding, "Last One Wins").
        call.request += part.request
        if let response = part.response { call.response = (call.response ?? []) + response }
      }
      append(call, id: UInt64(number + 1))
    }
  }

  private mutating func reportFields(ofEntry number: Int) {
    unreadableFieldCount += unreadable.count
    let room = Self.warningLimit - fieldWarnings.count
    fieldWarnings += unreadable.prefix(room).map { "field of entry \(number): \($0)" }
  }

  private func reasonForNoCalls(in entries: Int) -> String {
    if entries == 0 { return "the file has no log entries" }
    if let warning = warnings.first { return warning }
    return deliveryCount > 0
      ? "the file has only deliveries (maps.fleetengine.delivery.v1), which are not supported"
      : "the file has only restricted log entries; export the log entries to which they belong, too"
  }

  // MARK: Reading

  private mutating func call(_ entry: CloudLogEntry) throws(CloudLogError) -> Call {
    guard let method = method(entry.method) else {
      guard entry.type.isEmpty else {
        throw CloudLogError("\(entry.type) is not a trip or vehicle method of Fleet Engine")
      }
      let isCall = entry.request != nil || entry.response != nil
      throw CloudLogError(
        "no @type\(isCall ? " in jsonPayload" : " and no request"): not a Fleet Engine log entry")
    }
    let response = try entry.response.map { response throws(CloudLogError) in
      try message(response, method.output, "response")
    }
    let name = response?.text(at: "name") ?? ""
    var request = try message(entry.request ?? Struct(), method.input, "request")
    var missing = Struct()
    if let field = method.input["name"] ?? method.input["parent"],
      request.text(at: field.name).isEmpty,
      let resource = entry.resourceName(of: name, isParent: field.name == "parent")
    {
      missing.fields[field.name] = Value(kind: .stringValue(resource))
    }
    if let field = method.input["trip_id"] ?? method.input["vehicle_id"], entry.isCreation,
      request.text(at: field.name).isEmpty,
      let id = entry.id ?? name.split(separator: "/").dropFirst(3).first.map(String.init)
    {
      missing.fields[field.name] = Value(kind: .stringValue(id))
    }
    if !missing.fields.isEmpty {
      request = try message(missing, method.input, "request", after: request.serializedBytes())
    }
    return Call(
      time: try entry.time, insertID: entry.insertID, method: method,
      request: request.serializedBytes(), response: response?.serializedBytes(),
      status: entry.status)
  }

  /// - Parameter name: "UpdateTrip".
  private func method(_ name: String) -> ServiceDescriptor.Method? {
    types.method("/maps.fleetengine.v1.TripService/\(name)")
      ?? types.method("/maps.fleetengine.v1.VehicleService/\(name)")
  }

  /// Returns the message without the fields that cannot be read.
  ///
  /// - Parameter bytes: a message that this one completes.
  private mutating func message(
    _ object: Struct, _ type: MessageDescriptor, _ part: String, after bytes: [UInt8] = []
  ) throws(CloudLogError) -> DynamicMessage {
    do {
      let message = try readableMessage(names.message(object, type), type, part)
      guard !bytes.isEmpty else { return message }
      return try types.read(bytes + message.serializedBytes(), as: type).message
    } catch {
      throw error as? CloudLogError ?? CloudLogError("\(part): \(error)")
    }
  }

  private mutating func readableMessage(
    _ object: Struct, _ type: MessageDescriptor, _ part: String
  ) throws -> DynamicMessage {
    var object = object
    while true {
      let json = try object.jsonUTF8Bytes()
      do throws(JSONDecodingError) {
        return try DynamicMessage(jsonUTF8Bytes: json, as: type, in: types.pool)
      } catch {
        let problem = "\(part): \(error.fieldPath): \(error.reason)"
        guard unreadable.count < Self.unreadableFieldLimit, object.removeValue(at: error.namePath)
        else { throw CloudLogError(problem) }
        unreadable.append(problem)
      }
    }
  }

  // MARK: Writing

  private mutating func append(_ call: Call, id: UInt64) {
    var sequence: UInt64 = 0
    func entry(
      _ type: BinlogGrpcLogEntry.EventType, _ payload: BinlogGrpcLogEntry.Payload
    ) -> BinlogGrpcLogEntry {
      sequence += 1
      return BinlogGrpcLogEntry(
        timestamp: call.time, callId: id, sequenceIdWithinCall: sequence, type: type,
        logger: .server, payload: payload)
    }
    func message(_ bytes: [UInt8]) -> BinlogGrpcLogEntry.Payload {
      .message(BinlogMessage(length: UInt32(clamping: bytes.count), data: bytes))
    }
    let header = BinlogClientHeader(methodName: call.method.path)
    entries.append(entry(.clientHeader, .clientHeader(header)))
    entries.append(entry(.clientMessage, message(call.request)))
    if let response = call.response { entries.append(entry(.serverMessage, message(response))) }
    entries.append(entry(.serverTrailer, .trailer(call.status)))
  }
}
