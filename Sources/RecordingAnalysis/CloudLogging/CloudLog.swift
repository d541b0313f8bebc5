import DynamicProtobuf
package import Recording
package import WireProtobuf

/// The calls in an export of Cloud Logging that Fleet Engine logged, as entries of a recording.
///
/// Each call has one time, that of its log entry, and was recorded by the server.
package struct CloudLog: Sendable {
  /// Entries that were left out.
  package private(set) var skippedEntries = CloudLogProblems(of: "entry")
  /// Fields that were left out of an entry because they cannot be read.
  package private(set) var skippedFields = CloudLogProblems(of: "field of entry")
  /// Statuses of calls that are not clear.
  package private(set) var unclearStatuses = CloudLogProblems(of: "status of entry")
  /// Whether the last response of `entries:list` in the file names another page.
  package var hasNextPage: Bool { splitter.hasNextPage }
  /// How many entries were left out because the file has them more than once.
  package private(set) var duplicateCount = 0
  /// The place where the file ends too early, and what is incomplete; nil for a whole file.
  package var damage: CloudLogError? { splitter.damage }
  /// How many fields the API does not have.
  package var unknownFieldCount: Int { messages.unknownFieldCount }
  /// The most frequent of their names.
  package var unknownFields: [String] { messages.unknownFields }

  /// A call, or the part of one that Google logs for a shorter time.
  private struct Call {
    /// The number of the entry.
    let number: Int
    let time: Timestamp
    let id: CloudLogEntry.ID?
    let path: String
    var request: [UInt8]
    var response: [UInt8]?
    let status: BinlogTrailer
  }

  /// Equal for duplicates (`LogEntry.insert_id`).
  private struct Identity: Hashable {
    let id: CloudLogEntry.ID
    let time: Timestamp
  }

  private let methods: [String: CloudLogMethod]
  private var messages: CloudLogMessages
  private var splitter = CloudLogSplitter()
  private var entryCount = 0
  /// Where the present entry begins in the text of the splitter; nil if it is not from a file.
  private var offset: Int?
  private var identities: Set<Identity> = []
  private var calls: [Call] = []
  /// The parts that Google logs for a shorter time, by the entry to which they belong.
  private var restricted: [CloudLogEntry.ID: [Call]] = [:]

  package init(_ types: MessageTypes) {
    methods = CloudLogMethod.all(types)
    messages = CloudLogMessages(types.pool)
  }

  /// Reads the next piece of the file. Entries that are not calls of Fleet Engine, or that are invalid, are left
  /// out.
  ///
  /// - Parameter text: JSON: an array of log entries, a data set of fleet-debugger, or a sequence of
  ///   objects.
  /// - Throws: an error if it has too many entries.
  package mutating func add(_ text: [UInt8]) throws(CloudLogError) {
    read(try splitter.add(text))
  }

  /// Reads an entry that is not from a file.
  ///
  /// - Parameter json: its text.
  package mutating func add(entry json: [UInt8]) {
    read(CloudLogSplitter.checked(json), at: nil)
  }

  /// Counts an entry that is left out.
  package mutating func skip(because reason: String) {
    entryCount += 1
    skippedEntries.add(reason, inEntry: entryCount, line: { nil })
  }

  /// Called at the end of the file.
  ///
  /// - Throws: an error if it has no call of Fleet Engine.
  package mutating func end() throws(CloudLogError) {
    read(try splitter.end())
    for index in calls.indices {
      for part in calls[index].id.flatMap({ restricted.removeValue(forKey: $0) }) ?? [] {
        // Fields of the second message complete those of the first (protobuf's encoding, "Last One Wins").
        calls[index].request += part.request
        if let response = part.response {
          calls[index].response = (calls[index].response ?? []) + response
        }
      }
    }
    for part in restricted.values.joined() {
      skippedEntries.add(
        "a restricted part of a call that is not in the file", inEntry: part.number, line: { nil })
    }
    guard !calls.isEmpty else {
      throw skippedEntries.reasons.first ?? damage
        ?? CloudLogError(
          entryCount == 0
            ? "the file has no log entries" : "the file has only calls that tripwire added")
    }
    // Entries of the same time stay in the order of the file, oldest first. The file may have several sorted parts.
    let pairs = zip(calls, calls.dropFirst())
    let order = pairs.count { $1.time < $0.time } > pairs.count { $0.time < $1.time } ? -1 : 1
    calls.sort { ($0.time, $0.number * order) < ($1.time, $1.number * order) }
  }

  // MARK: Reading

  private mutating func read(_ parts: [CloudLogSplitter.Part]) {
    for part in parts { read(part.content, at: part.offset) }
  }

  private mutating func read(_ text: Result<[UInt8], CloudLogError>, at offset: Int?) {
    entryCount += 1
    self.offset = offset
    do throws(CloudLogError) {
      let entry = try CloudLogEntry(text.get())
      guard !entry.isDerived, let call = try call(entry) else { return }
      if let parent = entry.parentID {
        restricted[parent, default: []].append(call)
      } else {
        calls.append(call)
      }
    } catch {
      skippedEntries.add(
        error.description, inEntry: entryCount, line: line)
    }
  }

  /// Returns the line of the present entry.
  private var line: () -> Int? {
    { [splitter, offset] in offset.map(splitter.line) }
  }

  /// Returns nil for a duplicate.
  private mutating func call(_ entry: CloudLogEntry) throws(CloudLogError) -> Call? {
    guard let method = methods[CloudLogMethod.name(ofType: entry.type)] else {
      guard entry.type.isEmpty else {
        throw CloudLogError("\(entry.type) is not a method of Fleet Engine")
      }
      throw CloudLogError(
        entry.problems.first
          ?? "no @type\(entry.isCall ? " in jsonPayload" : " and no request"): not a Fleet Engine log entry"
      )
    }
    guard entry.isCall || entry.parentID != nil else {
      throw CloudLogError(
        entry.problems.first ?? "no request, no response and no error: not a call")
    }
    let time = try entry.time
    let id = entry.id
    if let id, !identities.insert(Identity(id: id, time: time)).inserted {
      duplicateCount += 1
      return nil
    }
    for problem in entry.problems { skippedFields.add(problem, inEntry: entryCount, line: line) }
    let (status, problem) = entry.status
    if let problem { unclearStatuses.add(problem, inEntry: entryCount, line: line) }
    let descriptor = method.descriptor
    return Call(
      number: entryCount, time: time, id: id, path: descriptor.path,
      request: try message(
        entry.request, descriptor.input, "request", entry.defaults(of: method)),
      response: try entry.response.map { response throws(CloudLogError) in
        try message(response, descriptor.output, "response", [])
      },
      status: status)
  }

  /// Returns the message without the fields that cannot be read, in binary form.
  private mutating func message(
    _ text: [UInt8], _ type: MessageDescriptor, _ part: String,
    _ defaults: [CloudLogMessages.Default]
  ) throws(CloudLogError) -> [UInt8] {
    do throws(JSONDecodingError) {
      let message = try messages.read(text.span, as: type, defaults)
      for problem in message.problems {
        skippedFields.add("\(part): \(problem)", inEntry: entryCount, line: line)
      }
      return message.bytes
    } catch {
      throw CloudLogError("\(part): \(error.reason.text)")
    }
  }

  // MARK: Writing

  /// The times of the first and the last call; nil if there is none.
  package var period: ClosedRange<Timestamp>? {
    guard let first = calls.first, let last = calls.last else { return nil }
    return first.time...last.time
  }

  /// The entries of all calls, in the order of their times.
  package var entries: some Sequence<BinlogGrpcLogEntry> {
    calls.indices.lazy.flatMap { Self.entries(of: calls[$0], id: UInt64($0 + 1)) }
  }

  private static func entries(of call: Call, id: UInt64) -> [BinlogGrpcLogEntry] {
    func message(_ bytes: [UInt8]) -> BinlogGrpcLogEntry.Payload {
      .message(BinlogMessage(length: UInt32(clamping: bytes.count), data: bytes))
    }
    var parts: [(BinlogGrpcLogEntry.EventType, BinlogGrpcLogEntry.Payload)] = [
      (.clientHeader, .clientHeader(BinlogClientHeader(methodName: call.path))),
      (.clientMessage, message(call.request)),
    ]
    if let response = call.response { parts.append((.serverMessage, message(response))) }
    parts.append((.serverTrailer, .trailer(call.status)))
    return parts.enumerated().map { index, part in
      BinlogGrpcLogEntry(
        timestamp: call.time, callId: id, sequenceIdWithinCall: UInt64(index + 1), type: part.0,
        logger: .server, payload: part.1)
    }
  }
}
