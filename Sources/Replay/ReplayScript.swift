import WireProtobuf

/// The calls of a script (protos/tripwire/script/v1/script.proto), ready to be answered.
package struct ReplayScript: Sendable {
  let calls: [ScriptedCall]

  /// Reads the JSON of a script.
  ///
  /// - Parameter path: the file as the user named it.
  /// - Throws: ``ReplayError`` with file, line and column, when it is no script or says what no
  ///   server can do.
  package init(path: String, _ text: [UInt8]) throws(ReplayError) {
    let script: Script
    do throws(JSONDecodingError) {
      script = try Script(
        jsonUTF8Bytes: text, options: JSONDecodingOptions(types: ScriptTypes.all))
    } catch {
      throw ReplayError(
        "\(path):\(error.line):\(error.column): \(error.fieldPath): \(Self.text(error.reason))")
    }
    var calls: [ScriptedCall] = []
    for (index, call) in script.calls.enumerated() {
      do throws(ScriptFlaw) {
        calls.append(try ScriptedCall(call))
      } catch {
        var place: [JSONPlace.Step] = [.key("calls"), .index(index)]
        if let step = error.step { place += [.key("steps"), .index(step)] }
        throw ReplayError("\(path):\(JSONPlace(of: place, in: text)): \(error.reason)")
      }
    }
    self.calls = calls
  }

  /// The reason, with what helps here for the options of the library.
  private static func text(_ reason: JSONDecodingError.Reason) -> String {
    switch reason {
    case .unknownField(let name, suggestion: nil):
      "unknown field \"\(name)\"; `tripwire replay --help` has an example"
    case .unknownAnyType(let url):
      "the type \"\(url)\" is none of Fleet Engine or google.rpc: give the message encoded, in base64"
    default: reason.description
    }
  }
}

/// What a script says that no server can do.
struct ScriptFlaw: Error, Equatable {
  /// The step of the call, from 0; nil when the call itself is at fault.
  var step: Int?
  var reason: String
}
