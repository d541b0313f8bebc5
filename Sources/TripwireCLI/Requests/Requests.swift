import DynamicProtobuf
import Tripwire
import WireSystem

/// The requests of a call, made of JSON one after another as it comes in.
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

  /// The one request of a call that takes one: empty if there is no JSON.
  mutating func only() async throws(ErrorReport) -> DynamicMessage {
    guard let request = try await next() else { return DynamicMessage(type, in: pool) }
    if let second = try await nextValue() {
      throw fault("\(second.line):\(second.column): the method takes one request, here is another")
    }
    return request
  }

  /// Nil after the last.
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
        hint: fileHint ?? "'tripwire describe \(type.fullName)' shows its fields")
    }
    if let missing = message.missingRequiredField {
      throw fault(
        "\(value.line):\(value.column): \(type.shortName)\(escaped(missing)) is required and not set"
      )
    }
    return message
  }

  private mutating func nextValue() async throws(ErrorReport) -> JSONValues.Value? {
    while true {
      do throws(JSONValues.TooLong) {
        if let value = try values.next(isEnd: isEnd) { return value }
      } catch {
        throw fault("a request longer than \(error.limit >> 20) MiB")
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

  /// The reason, with the options of the command for those of the library.
  private static func text(_ reason: JSONDecodingError.Reason) -> String {
    switch reason {
    case .unknownField(let name, suggestion: nil):
      "unknown field \(quoted(name)); --allow-unknown-fields skips such"
    case .unknownAnyType(let url): "the type \(quoted(url)) is not known; give it with --protoset"
    default: escaped(reason.description)
    }
  }

  /// JSON that ends too early, and where.
  private func tooShort(_ value: JSONValues.Value, _ place: String) -> ErrorReport {
    let unclosed = UnclosedJSON(value.text, line: value.line, column: value.column)
    var text = "\(place): the JSON ends too early"
    if let unclosed { text += ": \(unclosed)" }
    var hint = unclosed?.closing.map { "close what is open with \($0)" } ?? "is this all of it?"
    if case .text = data { hint += "; JSON with spaces or quotes wants '…' around it in a shell" }
    return fault(text, hint: fileHint ?? hint)
  }

  private func fault(_ text: String, hint: String? = nil) -> ErrorReport {
    let message = "\(escaped(data.name)): \(text)"
    if case .text = data {
      return ErrorReport(UsageError(message: message, hint: hint), command: "call")
    }
    return ErrorReport(local: message, hint: hint)
  }

  /// For those who forget the @.
  private var fileHint: String? {
    guard case .text(let path) = data, LocalFile.exists(path) else { return nil }
    return "did you mean -d @\(escaped(path))?"
  }
}
