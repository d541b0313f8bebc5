package import CommandLine
import CommandShell
package import DynamicProtobuf
package import Tripwire

/// The fields of responses that are printed, from `--fields`.
package struct ResponseFields: Sendable {
  private let selection: FieldSelection
  private let type: MessageDescriptor
  private let pool: DescriptorPool

  package init(
    _ paths: [String], of type: MessageDescriptor, in pool: DescriptorPool,
    _ lookup: SymbolLookup = .builtIn
  ) throws(UsageError) {
    do throws(FieldSelection.PathError) {
      selection = try FieldSelection(paths, of: type, in: pool)
    } catch {
      throw UsageError(error, lookup)
    }
    self.type = type
    self.pool = pool
  }

  /// Creates the selection from answers of a built-in type; nil without paths.
  package init?(_ paths: [String]?, of name: String) throws(UsageError) {
    guard let paths, let pool = try? EmbeddedSchema.pool([]), let type = pool.message(name)
    else { return nil }
    try self.init(paths, of: type, in: pool)
  }

  func selected(from message: DynamicMessage) -> DynamicMessage {
    var message = message
    message.keep(selection)
    return message
  }

  fileprivate func json(
    _ message: some Message, pretty: Bool
  ) throws(JSONEncodingError) -> String {
    // This program encoded the message, so it can be decoded.
    guard let whole = try? DynamicMessage(message, as: type, in: pool) else { return "{}" }
    return try selected(from: whole).jsonString(options: DynamicJSONOptions(pretty: pretty))
  }

  package static func option<Values>(
    store: @escaping @Sendable (inout Values, [String]) -> Void
  ) -> Option<Values> {
    .value(
      "fields", "PATHS", .common,
      "print only these fields, such as name,lastLocation.location\nThe output is JSON. The server still sends"
        + " all fields. Unlike in a FieldMask, a path may pass through a repeated field: route.latitude.",
      parse: { text in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      },
      store: store)
  }
}

extension ResponseFields? {
  /// Returns the selected fields of a message, or all if there is no selection, as JSON.
  package func json(
    _ message: some Message, pretty: Bool = false
  ) throws(JSONEncodingError) -> String {
    switch self {
    case let fields?: try fields.json(message, pretty: pretty)
    case nil: try message.jsonString(options: JSONEncodingOptions(pretty: pretty))
    }
  }
}

extension UsageError {
  fileprivate init(_ error: FieldSelection.PathError, _ lookup: SymbolLookup) {
    let place = "--fields \(escaped(error.path))"
    let list = lookup.fields(of: error.message)
    switch error.reason {
    case .emptyPart:
      self.init(
        message: error.path.isEmpty
          ? "--fields: a path is empty" : "\(place): a part of the path is empty",
        hint: "separate paths by one comma, and their parts by one dot")
    case .unknownField(let suggestion):
      self.init(
        message: "\(place): \(error.message) has no field \(escaped(error.part))",
        hint: suggestion.map { "did you mean \($0)?" } ?? list)
    case .notAMessage:
      self.init(
        message: "\(place): \(escaped(error.part)) of \(error.message) has no fields",
        hint: "end the path after \(escaped(error.part))")
    }
  }
}
