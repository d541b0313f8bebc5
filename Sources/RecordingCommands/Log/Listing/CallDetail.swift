import CommandLine
import CommandShell
import DynamicProtobuf
import Recording
import RecordingAnalysis
import Tripwire

/// One call for people: each event with its time, the time since the event before, and its content.
final class CallDetail: LogView {
  private let types: MessageTypes
  private let number: Int
  private var days: DayHeadings
  private let output: LogOutput
  private var last: Timestamp?
  /// The hint about --protoset is given once.
  private var isHintGiven = false

  init(_ types: MessageTypes, of number: Int, _ console: Console) {
    self.types = types
    self.number = number
    days = DayHeadings(console.clock())
    output = LogOutput(console)
  }

  func add(_ entry: LoggedEntry) throws(ErrorReport) {
    guard entry.call.number == number else { return }
    if let day = days.line(for: entry.value.timestamp) { try output.write(day + "\n") }
    try output.write(lines(entry))
  }

  func end(calls: Int) throws(ErrorReport) {
    try LogFile.check(number, among: calls)
    try output.flush()
  }

  /// Returns the lines of an entry, each with its line end.
  private func lines(_ entry: LoggedEntry) -> String {
    let value = entry.value
    let time = value.timestamp
    let stamp = days.time(time)
    let step = last.flatMap { last in time.flatMap { elapsed(from: last, to: $0) } }
    last = time ?? last
    let (title, more) = words(entry)
    var text = stamp + "  " + padded(step.map { "+" + Units.latency($0) } ?? "", to: 12) + title
    if value.payloadTruncated { text += ", truncated" }
    if let peer = value.peer { text += ", from " + escaped(Self.words(peer)) }
    return ([text] + more.map { "  " + $0 }).map { $0 + "\n" }.joined()
  }

  private func words(_ entry: LoggedEntry) -> (title: String, more: [String]) {
    let value = entry.value
    switch (value.type, value.payload) {
    case (.clientHeader, .clientHeader(let header)):
      var title = "call \(entry.call.number): \(escaped(header.methodName))"
      if !header.authority.isEmpty { title += " at \(escaped(header.authority))" }
      if let timeout = header.timeout {
        title += ", deadline \(Units.seconds(timeout.seconds, nanos: timeout.nanos))"
      }
      if value.logger == .server { title += ", recorded by the server" }
      return (title, lines(header.metadata))
    case (.serverHeader, .serverHeader(let header)):
      return ("response headers", lines(header.metadata))
    case (.clientMessage, .message(let message)):
      return ("request, \(Units.bytes(Int(message.length)))", lines(message, of: entry))
    case (.serverMessage, .message(let message)):
      return ("response, \(Units.bytes(Int(message.length)))", lines(message, of: entry))
    case (.clientHalfClose, _): return ("half-close", [])
    case (.cancel, _): return ("canceled by the client", [])
    case (.serverTrailer, .trailer(let trailer)):
      let code = StatusCode(rawValue: Int(trailer.statusCode))
      let message = trailer.statusMessage.isEmpty ? "" : ": " + escaped(trailer.statusMessage)
      return (
        code.words(isLocal: entry.isLocalStatus) + message,
        details(trailer.statusDetails) + lines(trailer.metadata)
      )
    default:
      return ("\(value.type.name ?? "event \(value.type.rawValue)") without content", [])
    }
  }

  private func lines(_ metadata: BinlogMetadata?) -> [String] {
    (metadata?.entry ?? []).map { entry in
      let value = entry.shown ?? Base64.encode(entry.value, padded: true)
      return escaped("\(entry.key): \(value)")
    }
  }

  private func lines(_ message: BinlogMessage, of entry: LoggedEntry) -> [String] {
    guard !message.data.isEmpty else { return [] }
    let encoded = [Base64.encode(message.data, padded: true)]
    guard let type = types.type(of: entry) else {
      defer { isHintGiven = true }
      let hint = isHintGiven ? "" : " (unknown type; pass --protoset FILE)"
      return ["in base64\(hint):"] + encoded
    }
    let cut = "\(message.data.count) of \(Units.bytes(Int(message.length))) recorded, "
    guard entry.isComplete else {
      let fields = message.data.wholeFields
      guard !fields.isEmpty, let json = try? json(fields, as: type) else {
        return [cut + "in base64:"] + encoded
      }
      return [cut + "with these fields:"] + json
    }
    do {
      return try json(message.data, as: type)
    } catch {
      return [escaped("not a valid \(type.fullName): \(error)"), "in base64:"] + encoded
    }
  }

  private func json(_ bytes: [UInt8], as type: MessageDescriptor) throws -> [String] {
    let reading = try types.read(bytes, as: type)
    let json = try reading.message.jsonString(
      options: DynamicJSONOptions(pretty: true, showsUnknownTypes: true))
    var lines = escapedJSON(json).split(separator: "\n").map(String.init)
    if reading.unknownFieldCount > 0 {
      lines.append("and \(Units.count(reading.unknownFieldCount, "unknown field"))")
    }
    return lines
  }

  /// Returns the details of a status in words.
  private func details(_ bytes: [UInt8]) -> [String] {
    guard !bytes.isEmpty else { return [] }
    guard let status = try? RPCStatus(serializedBytes: bytes) else {
      return ["details that are not a google.rpc.Status: \(Units.bytes(bytes.count))"]
    }
    let detailTypes = DetailTypes(types.pool)
    return status.details.flatMap { ErrorDetail($0).lines(detailTypes).map(escaped) }
  }

  private static func words(_ peer: BinlogAddress) -> String {
    switch peer.type {
    case .ipv6: "[\(peer.address)]:\(peer.ipPort)"
    case .unix: "unix:\(peer.address)"
    default: peer.ipPort == 0 ? peer.address : "\(peer.address):\(peer.ipPort)"
    }
  }
}
