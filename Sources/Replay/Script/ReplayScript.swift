import WireProtobuf

/// The calls of a script (protos/tripwire/script/v1/script.proto), ready to be answered.
package struct ReplayScript: Sendable {
  let calls: [ScriptedCall]
  /// Messages about files that are skipped.
  var warnings: [String] = []

  /// Reads the JSON of a script.
  ///
  /// - Parameters:
  ///   - path: the file as the user named it.
  ///   - types: finds the types of messages that are not built in, by their URLs.
  /// - Throws: ``ReplayError`` with file, line and column, if it is not a script or asks for something that
  ///   no server can do.
  init(
    path: String, _ text: [UInt8], types: (@Sendable (String) -> RuntimeJSONType?)? = nil
  ) throws(ReplayError) {
    let text = JSONScanner.withoutByteOrderMark(text)
    var options = JSONDecodingOptions(types: ScriptTypes.all)
    options.types.others = types
    let script = try mapError(Script(jsonUTF8Bytes: text, options: options)) {
      (error: JSONDecodingError) in
      let (reason, hint) = Self.text(error, in: text)
      // The script itself has no name in its file.
      let field = error.namePath.isEmpty ? "" : "\(error.namePath): "
      return ReplayError(
        "\(path):\(error.line):\(error.column): \(field)\(reason)",
        hint: hint ?? "correct \(path) at line \(error.line), column \(error.column)")
    }
    var calls: [ScriptedCall] = []
    for (index, call) in script.calls.enumerated() {
      let call = try mapError(ScriptedCall(call)) { (error: InvalidStep) in
        var place: [JSONLocator.Step] = [.key("calls"), .index(index)]
        var name = "calls[\(index)]"
        if let step = error.step {
          place += [.key("steps"), .index(step)]
          name += ".steps[\(step)]"
        }
        if let field = error.field {
          place += field.split(separator: ".").map { .key(String($0)) }
          name += ".\(field)"
        }
        let found = JSONLocator.find(place, in: text)
        return ReplayError(
          "\(path):\(found): \(name): \(error.reason)",
          hint: error.hint ?? "correct \(path) at line \(found.line), column \(found.column)")
      }
      calls.append(call)
    }
    self.calls = calls
  }

  /// Returns the reason and one action, with the options of the command in place of those of the library.
  private static func text(
    _ error: JSONDecodingError, in text: [UInt8]
  ) -> (reason: String, hint: String?) {
    switch error.reason {
    case .unknownField(let name, suggestion: nil):
      (
        "unknown field \"\(name)\"",
        hint(forFieldAt: error.namePath, in: text)
          ?? "see the example in 'tripwire replay --help'"
      )
    case .unknownAnyType(let url):
      (
        "unknown type \"\(url)\"",
        "pass the descriptors of the type to 'tripwire replay' with --protoset FILE"
          + (error.fieldPath.hasSuffix(".message.json")
            ? ", or use \"bytes\" with the encoded message in base64 instead of \"json\"" : "")
      )
    case .numberOutOfRange
    where [".reset", ".go_away.code"].contains(where: error.fieldPath.hasSuffix):
      (
        "number out of range: the field is a signed 32-bit number",
        "for an error code above 2147483647 write the code minus 4294967296 (for 4294967295 write -1)"
      )
    case .oneofAlreadySet(let field, let other):
      (error.reason.description, "remove \(field) or \(other)")
    case .truncated: ("unexpected end of JSON", "complete the JSON")
    case .tooDeep: ("nested too deep", nil)
    case .tooMuchMemory: ("needs too much memory or time", nil)
    default: (error.reason.description, nil)
    }
  }

  /// Returns the hint for an unknown field of a message with `@type`; nil for a field of the script itself.
  ///
  /// - Parameter path: the path of the object with the field, "calls[0].steps[1].message.json".
  private static func hint(forFieldAt path: String, in text: [UInt8]) -> String? {
    guard let script = try? Struct(jsonUTF8Bytes: text) else { return nil }
    var value = Value(kind: .structValue(script))
    var type: String?
    // The field of the message with the type, if the path continues in it.
    var field: Substring?
    for step in path.split(separator: ".") {
      let name = step.prefix { $0 != "[" }
      guard let member = value.member(String(name), step.dropFirst(name.count)) else { return nil }
      value = member
      if field == nil { field = name }
      if let url = value.structValue?.text("@type") {
        (type, field) = (TypeRegistry.typeName(in: url), nil)
      }
    }
    guard let type else { return nil }
    guard ScriptTypes.all.type(for: "/" + type) != nil else {
      return "check the fields of \(type)"
    }
    return "run 'tripwire describe \(type)' to "
      + (field.map { "find the type of \($0)" } ?? "list its fields")
  }
}

extension Value {
  /// Returns a member of an object, or an element of the array in it.
  ///
  /// - Parameter index: "[3]"; "" for the whole member.
  fileprivate func member(_ name: String, _ index: Substring) -> Value? {
    guard let member = structValue?.fields[name] else { return nil }
    guard !index.isEmpty else { return member }
    guard case .listValue(let list) = member.kind, let index = Int(index.dropFirst().dropLast()),
      list.values.indices.contains(index)
    else { return nil }
    return list.values[index]
  }
}

/// The error of a script step that no server can carry out.
struct InvalidStep: Error, Equatable {
  /// The step of the call, from 0; nil if the error is in the call itself.
  var step: Int?
  /// The invalid field of the step or the call, "frame.flags"; nil if it is not one field.
  var field: String?
  var reason: String
  /// One action for the user; nil if the reason implies it.
  var hint: String?

  init(_ field: String?, _ reason: String, hint: String? = nil) {
    (self.field, self.reason, self.hint) = (field, reason, hint)
  }
}
