import CommandLine
package import CommandShell
package import DynamicProtobuf
import Tripwire
import WireSystem

/// The requests of a call, decoded one by one from JSON as it is read.
package struct Requests: Sendable {
  /// The sources of the requests, and the position of the next one.
  private let sources: [RequestData]
  private var index = 0
  private var reader: DataReader
  private var values = JSONValues()
  private var isEnd = false
  /// The number of values that were read.
  private var count = 0
  /// The JSON of the last request.
  package private(set) var text: [UInt8] = []
  /// The position of the last request.
  private var position = TextPosition()
  private let type: MessageDescriptor
  private let pool: DescriptorPool
  /// Nil if the command has no option for it.
  private let ignoresUnknownFields: Bool?
  private let lookup: SymbolLookup
  private let deadline: ContinuousClock.Instant?
  /// Whether each wait for a file is limited without a deadline.
  private let limitsWaits: Bool

  private var data: RequestData { sources[index] }

  /// - Parameters:
  ///   - sources: read one after the other.
  ///   - lookup: for hints.
  ///   - ignoresUnknownFields: nil if the command has no option for it.
  ///   - deadline: the deadline for the data; nil for none.
  ///   - limitsWaits: whether a wait for a file is limited without a deadline.
  package init(
    _ sources: [RequestData], of type: MessageDescriptor, in pool: DescriptorPool,
    _ lookup: SymbolLookup = .builtIn, ignoresUnknownFields: Bool?,
    until deadline: ContinuousClock.Instant?, limitsWaits: Bool = false
  ) throws(ErrorReport) {
    self.sources = sources.isEmpty ? [.text("")] : sources
    self.deadline = deadline
    self.limitsWaits = limitsWaits
    self.type = type
    self.pool = pool
    self.ignoresUnknownFields = ignoresUnknownFields
    self.lookup = lookup
    reader = try Self.reader(of: self.sources[0])
  }

  private static func reader(of data: RequestData) throws(ErrorReport) -> DataReader {
    try mapError(DataReader(data)) { (error: IOError) in
      unreadable(data, error)
    }
  }

  /// Returns the request of a call that takes one; empty without JSON.
  package mutating func only() async throws(ErrorReport) -> DynamicMessage {
    guard let request = try await next() else {
      let request = DynamicMessage(type, in: pool)
      try checkRequiredFields(of: request)
      return request
    }
    if let second = try await nextValue() {
      throw fault(
        at: "\(second.position)",
        "unexpected text after the request: this method takes one request",
        hint: "remove the text after the first JSON object")
    }
    return request
  }

  /// Returns the next request; nil after the last.
  package mutating func next() async throws(ErrorReport) -> DynamicMessage? {
    guard let value = try await nextValue() else { return nil }
    return try request(value)
  }

  /// The number of the last request, from 1; nil if no other one is known.
  var number: Int? {
    count > 1 || values.hasText || index + 1 < sources.count ? count : nil
  }

  /// Whether there are several requests, or may be: their number in a pipe is not known.
  var areSeveral: Bool { number != nil || reader.mayWait }

  mutating func request(_ value: JSONValues.Value) throws(ErrorReport) -> DynamicMessage {
    text = value.text
    position = value.position
    let message: DynamicMessage
    do throws(JSONDecodingError) {
      message = try decoded(value.text)
    } catch {
      let line = position.line + error.line - 1
      let column = error.line == 1 ? position.column + error.column - 1 : error.column
      if error.reason == .truncated { throw tooShort(value, "\(line):\(column)") }
      throw fault(
        at: "\(line):\(column)", "\(escaped(error.fieldPath)): \(escaped(error.reason.text))",
        hint: fileHint ?? hint(for: error, at: "line \(line), column \(column)"))
    }
    try checkRequiredFields(of: message)
    return message
  }

  /// Checks the last request, or an empty one.
  private func checkRequiredFields(of message: DynamicMessage) throws(ErrorReport) {
    guard let missing = message.missingRequiredField.map(escaped) else { return }
    let field = missing.dropFirst()
    let json = "{\"\(field)\": …}"
    let (place, example) = data.isText ? ("-d", "-d '\(json)'") : ("the JSON", json)
    throw fault(
      at: text.isEmpty ? nil : "\(position)",
      "required field \(type.shortName)\(missing) is not set",
      hint: "set \(field) in \(place)"
        + (message.setFields.isEmpty ? ", for example \(example)" : ""))
  }

  private func decoded(_ json: [UInt8]) throws(JSONDecodingError) -> DynamicMessage {
    var options = DynamicMessage.jsonOptions
    options.ignoresUnknownFields = ignoresUnknownFields ?? false
    return try DynamicMessage(jsonUTF8Bytes: json, as: type, in: pool, options: options)
  }

  /// Returns the next value; nil after the last. After an error there are no more.
  mutating func nextValue() async throws(ErrorReport) -> JSONValues.Value? {
    guard let value = try await readValue() else { return nil }
    count += 1
    // ``number`` depends on the text after the first value.
    while count == 1, !values.hasText, !isEnd, !reader.mayWait { try await read() }
    return value
  }

  private mutating func readValue() async throws(ErrorReport) -> JSONValues.Value? {
    while true {
      do throws(JSONValues.TooLong) {
        if let value = try values.next(isEnd: isEnd) { return value }
      } catch {
        throw fault(
          at: "\(error.position)", "the request is longer than \(error.limit >> 20) MiB",
          hint: "send a smaller request")
      }
      if isEnd {
        guard index + 1 < sources.count else { return nil }
        index += 1
        reader = try Self.reader(of: data)
        (values, isEnd) = (JSONValues(), false)
      }
      try await read()
    }
  }

  private mutating func read() async throws(ErrorReport) {
    do throws(IOError) {
      let limit = limitsWaits ? data.defaultTimeout.map { ContinuousClock.now + $0 } : nil
      let bytes = try await reader.next(until: deadline ?? limit)
      isEnd = bytes.isEmpty
      values.append(bytes)
    } catch {
      throw Self.unreadable(data, error)
    }
  }

  private static func unreadable(_ data: RequestData, _ error: IOError) -> ErrorReport {
    let error = FileReadError(error)
    return ErrorReport(
      local: "-d: \(escaped(data.name)): \(error)", hint: ErrorReport.hint(for: error, "-d"),
      error)
  }

  private func hint(for error: JSONDecodingError, at place: String) -> String {
    let message = error.message(in: type, pool)
    let fields = lookup.fields(of: message.fullName)
    return switch error.reason {
    // The fields of a google.protobuf.Any are those of another message.
    case .unknownField where message.hasCustomJSON: "correct the JSON at \(place)"
    case .unknownField(_, suggestion: nil) where ignoresUnknownFields != nil:
      fields + ", or pass --allow-unknown-fields"
    case .unknownField: fields
    case .oneofAlreadySet(let field, let other): "remove \(escaped(field)) or \(escaped(other))"
    case .unknownEnumValue(_, let name, _): lookup.describe(name, to: "list its values")
    case .unknownAnyType: "pass its descriptors with --protoset FILE"
    case .expected(.object) where isWord: "pass JSON with -d, or a file with -d @FILE"
    default: "correct the JSON at \(place)"
    }
  }

  /// Whether the data is one word without braces and brackets, such as the name of a file.
  private var isWord: Bool {
    guard case .text(let text) = data else { return false }
    return !text.utf8.contains(where: "{[ ".utf8.contains)
  }

  /// Returns the report for truncated JSON.
  private func tooShort(_ value: JSONValues.Value, _ place: String) -> ErrorReport {
    let unclosed = UnclosedJSON(value)
    var text = "unexpected end of JSON"
    if let unclosed { text += ": \(unclosed)" }
    let closing = unclosed?.closing.flatMap { closing in
      (try? decoded(value.text + closing.utf8)).map { _ in closing }
    }
    let hint = closing.map { "append \($0) to the JSON" }
    return fault(at: place, text, hint: fileHint ?? hint ?? "complete the JSON")
  }

  /// The place of the last request, for errors: "-d: tasks.json:2:1".
  package var place: String { place(at: "\(position)") }

  /// - Parameter position: line and column; nil for all the data.
  private func place(at position: String?) -> String {
    let parts = [data.isText ? nil : escaped(data.name), position].compactMap { $0 }
    let option = sources.count > 1 ? "-d number \(index + 1)" : "-d"
    return ([option] + (parts.isEmpty ? [] : [parts.joined(separator: ":")])).joined(
      separator: ": ")
  }

  private func fault(at position: String?, _ text: String, hint: String) -> ErrorReport {
    let message = "\(place(at: position)): \(text)"
    guard data.isText else { return ErrorReport(local: message, hint: hint) }
    return .usage(message, hint: hint)
  }

  /// The hint for an argument that is the path of a file and lacks the @.
  private var fileHint: String? {
    guard case .text(let path) = data, LocalFile.exists(path) else { return nil }
    return "did you mean -d @\(escaped(path))?"
  }
}
