package import WireProtobuf

/// The calls of a script (protos/tripwire/script/v1/script.proto), ready to be answered.
package struct ReplayScript: Sendable {
  let calls: [ScriptedCall]

  /// Reads the JSON of a script.
  ///
  /// - Parameters:
  ///   - path: the file as the user named it.
  ///   - types: finds the types of messages that are not built in, by their URLs.
  /// - Throws: ``ReplayError`` with file, line and column, if it is not a script or asks for something that
  ///   no server can do.
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

  /// Returns the reason, with the options of the command in place of those of the library.
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

/// A step of a script that no server can carry out.
struct ScriptFlaw: Error, Equatable {
  /// The step of the call, from 0; nil if the error is in the call itself.
  var step: Int?
  var reason: String
}
