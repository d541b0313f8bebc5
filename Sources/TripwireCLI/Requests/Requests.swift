import DynamicProtobuf
import Tripwire
import WireSystem

/// The requests of a call, decoded one by one from JSON as it is read.
struct Requests: Sendable {
  private let data: RequestData
  private var reader: DataReader
  private var values = JSONValues()
  private var isEnd = false
  private let type: MessageDescriptor
  private let pool: DescriptorPool
  private let ignoresUnknownFields: Bool

  /// - Parameter deadline: when to give up waiting for the data; nil never does.
  init(
    _ data: RequestData, of type: MessageDescriptor, in pool: DescriptorPool,
    ignoresUnknownFields: Bool, until deadline: ContinuousClock.Instant?
  ) throws(ErrorReport) {
    self.data = data
    self.type = type
    self.pool = pool
    self.ignoresUnknownFields = ignoresUnknownFields
    do throws(IOError) {
      reader = try DataReader(data, until: deadline)
    } catch {
      throw Self.unreadable(data, error)
    }
  }

  /// Returns the request of a call that takes one; empty without JSON.
  mutating func only() async throws(ErrorReport) -> DynamicMessage {
    guard let request = try await next() else { return DynamicMessage(type, in: pool) }
    if let second = try await nextValue() {
      throw fault(
        "\(second.line):\(second.column): unexpected second request: the method takes one")
    }
    return request
  }

  /// Returns the next request; nil after the last.
  mutating func next() async throws(ErrorReport) -> DynamicMessage? {
    guard let value = try await nextValue() else { return nil }
    var options = DynamicMessage.jsonOptions
    options.ignoresUnknownFields = ignoresUnknownFields
    let message: DynamicMessage
    do throws(JSONDecodingError) {
      message = try DynamicMessage(
        jsonUTF8Bytes: value.text, as: type, in: pool, options: options)
    } catch {
      let line = value.line + error.line - 1
      let column = error.line == 1 ? value.column + error.column - 1 : error.column
      if error.reason == .truncated { throw tooShort(value, "\(line):\(column)") }
      throw fault(
        "\(line):\(column): \(escaped(error.fieldPath)): \(Self.text(error.reason))",
        hint: fileHint ?? Self.hint(for: error.reason, in: type))
    }
    if let missing = message.missingRequiredField {
      throw fault(
        "\(value.line):\(value.column): required field \(type.shortName)\(escaped(missing)) is"
          + " not set"
      )
    }
    return message
  }

  private mutating func nextValue() async throws(ErrorReport) -> JSONValues.Value? {
    while true {
      do throws(JSONValues.TooLong) {
        if let value = try values.next(isEnd: isEnd) { return value }
      } catch {
        throw fault("the request is longer than \(error.limit >> 20) MiB")
      }
      if isEnd { return nil }
      do throws(IOError) {
        let bytes = try await reader.next()
        isEnd = bytes.isEmpty
        values.append(bytes)
      } catch {
        throw Self.unreadable(data, error)
      }
    }
  }

  private static func unreadable(_ data: RequestData, _ error: IOError) -> ErrorReport {
    let error = FileReadError(error)
    return ErrorReport(
      local: "-d: \(escaped(data.name)): \(error)", hint: ErrorReport.hint(for: error, "-d"))
  }

  /// Returns the reason, without the options of the library.
  private static func text(_ reason: JSONDecodingError.Reason) -> String {
    switch reason {
    case .unknownField(let name, suggestion: nil): "unknown field \(quoted(name))"
    case .unknownAnyType(let url): "unknown type \(quoted(url))"
    default: escaped(reason.description)
    }
  }

  private static func hint(
    for reason: JSONDecodingError.Reason, in type: MessageDescriptor
  ) -> String {
    let fields = "run 'tripwire describe \(type.fullName)' to list its fields"
    return switch reason {
    case .unknownField(_, suggestion: nil): fields + ", or pass --allow-unknown-fields"
    case .unknownAnyType: "pass its descriptors with --protoset FILE"
    default: fields
    }
  }

  /// Returns the report for truncated JSON.
  private func tooShort(_ value: JSONValues.Value, _ place: String) -> ErrorReport {
    let unclosed = UnclosedJSON(value.text, line: value.line, column: value.column)
    var text = "\(place): unexpected end of JSON"
    if let unclosed { text += ": \(unclosed)" }
    let hint = unclosed?.closing.map { "append \($0) to the JSON" }
    return fault(text, hint: fileHint ?? hint ?? "check that the JSON is complete")
  }

  private func fault(_ text: String, hint: String? = nil) -> ErrorReport {
    if case .text = data {
      let message = "-d: \(text)"
      return ErrorReport(UsageError(message: message, hint: hint), command: "call")
    }
    return ErrorReport(local: "-d: \(escaped(data.name)):\(text)", hint: hint)
  }

  /// The hint for an argument that is the path of a file and lacks the @.
  private var fileHint: String? {
    guard case .text(let path) = data, LocalFile.exists(path) else { return nil }
    return "did you mean -d @\(escaped(path))?"
  }
}
