import WireGRPC
import WireProtobuf

/// A field in which a request differs from those of a recording or a script.
struct RequestDifference: Equatable {
  /// The path in the form of FieldMask, "trip.number_of_passengers".
  var path: String
  /// The values of the other requests in JSON, each once; nil is an unset field.
  var expected: [String?]
  var actual: String?

  /// `page_token: unset or "p2" in the recording, "p3" in this request`, of at most 190 characters
  /// besides the path.
  ///
  /// - Parameter source: what has the other requests, "recording".
  func description(_ source: String) -> String {
    var values = expected.prefix(Self.valueLimit).map(Self.text)
    if expected.count > Self.valueLimit {
      values.append("\(expected.count - Self.valueLimit) others")
    }
    return "\(path): \(values.joined(separator: " or ")) in the \(source),"
      + " \(Self.text(actual)) in this request"
  }

  private static let valueLimit = 3

  private static func text(_ value: String?) -> String { value?.shortened(to: 40) ?? "unset" }
}

extension RequestDifference {
  /// The names of the top-level fields in which two messages differ.
  static func changedFields<Request: Message>(
    _ type: Request.Type, _ one: [UInt8], _ other: [UInt8]
  ) -> [String] {
    guard let one = try? Request(serializedBytes: one),
      let other = try? Request(serializedBytes: other)
    else { return [] }
    return FieldMask(changedFieldsFrom: one, to: other).paths
  }

  /// The fields in which a request differs from those of `others` that have the fewest such fields.
  static func all<Request: Message>(
    _ type: Request.Type, of request: [UInt8], from others: [[UInt8]]
  ) -> [RequestDifference] {
    guard let request = try? Request(serializedBytes: request) else { return [] }
    let changes = others.compactMap { bytes in
      (try? Request(serializedBytes: bytes)).map { other in
        (other: other, paths: FieldMask(changesFrom: other, to: request).paths)
      }
    }
    guard let fewest = changes.map(\.paths.count).min() else { return [] }
    let nearest = changes.filter { $0.paths.count == fewest }
    var paths: [String] = []
    for path in nearest.flatMap(\.paths) where !paths.contains(path) { paths.append(path) }
    let actual = JSONMembers(of: request)
    let expected = nearest.map { JSONMembers(of: $0.other) }
    return paths.map { path in
      var values: [String?] = []
      for value in expected.map({ $0[path] }) where !values.contains(value) {
        values.append(value)
      }
      return RequestDifference(path: path, expected: values, actual: actual[path])
    }
  }
}

/// The fields of a message in JSON, by their paths as FieldMask writes them.
private struct JSONMembers {
  private let fields: FieldTable
  private let members: Struct

  init<M: Message>(of message: M) {
    fields = M.fields
    members = (try? Struct(jsonString: message.jsonString())) ?? Struct()
  }

  /// Nil for a field that is not set.
  subscript(path: String) -> String? {
    var fields: FieldTable? = fields
    var value = Value(kind: .structValue(members))
    for name in path.split(separator: ".") {
      guard let field = fields?.fields.first(where: { "\($0.name)" == name }),
        let member = value.structValue?.fields["\(field.jsonName)"]
      else { return nil }
      (fields, value) = (field.message?.fields, member)
    }
    // Not 10.0.
    if case .numberValue(let number) = value.kind, let integer = Int(exactly: number) {
      return "\(integer)"
    }
    return try? value.jsonString()
  }
}
