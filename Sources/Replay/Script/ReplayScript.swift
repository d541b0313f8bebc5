package import WireProtobuf

/// The calls of a script (protos/tripwire/script/v1/script.proto), ready to be answered.
package struct ReplayScript: Sendable {
  let calls: [ScriptedCall]

  /// Reads the JSON of a script.
  ///
  /// - Parameters:
  ///   - path: the file as the user named it.
  ///   - types: finds those of messages that are not known here, by their URLs.
  /// - Throws: ``ReplayError`` with file, line and column, when it is no script or says what no
  ///   server can do.
  package init(
    path: String, _ text: [UInt8], types: (@Sendable (String) -> RuntimeJSONType?)? = nil
  ) throws(ReplayError) {
    let mark = ReplaySource.byteOrderMark
    let text = text.starts(with: mark) ? Array(text.dropFirst(mark.count)) : text
    var options = JSONDecodingOptions(types: ScriptTypes.all)
    options.types.others = types
    let script = try mapError(Script(jsonUTF8Bytes: text, options: options)) {
      (error: JSONDecodingError) in
      ReplayError(
        "\(path):\(error.line):\(error.column): \(error.fieldPath): \(Self.text(error))")
    }
    var calls: [ScriptedCall] = []
    for (index, call) in script.calls.enumerated() {
      let call = try mapError(ScriptedCall(call)) { (error: ScriptFlaw) in
        var place: [JSONPlace.Step] = [.key("calls"), .index(index)]
        if let step = error.step { place += [.key("steps"), .index(step)] }
        return ReplayError("\(path):\(JSONPlace.find(place, in: text)): \(error.reason)")
      }
      calls.append(call)
    }
    self.calls = calls
  }

  /// The reason, with what helps here for the options of the library.
  private static func text(_ error: JSONDecodingError) -> String {
    switch error.reason {
    case .unknownField(let name, suggestion: nil):
      "unknown field \"\(name)\"; see the example in 'tripwire replay --help'"
    case .unknownAnyType(let url):
      "unknown type \"\(url)\": pass its descriptors with --protoset, or give the encoded message in"
        + " base64"
    case .numberOutOfRange
    where [".reset", ".go_away.code"].contains(where: error.fieldPath.hasSuffix):
      "number out of range: subtract 4294967296 from a code above 2147483647, so that 4294967295 is -1"
    default: error.reason.description
    }
  }
}

/// What a script says that no server can do.
struct ScriptFlaw: Error, Equatable {
  /// The step of the call, from 0; nil when the call itself is at fault.
  var step: Int?
  var reason: String
}
