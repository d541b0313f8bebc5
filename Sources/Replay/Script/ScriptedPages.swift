import Tripwire
import WireGRPC
import WireGRPCServer
import WireProtobuf

/// Finds scripted responses that make a client request pages forever.
///
/// A call for a resource, or for any request, answers each page that no other call answers, and the last
/// such call is repeated.
enum ScriptedPages {
  /// - Parameter loops: whether the first call follows the last.
  static func warnings(of calls: [ScriptedCall], loops: Bool) -> [String] {
    var groups: [Group: [(number: Int, token: String)]] = [:]
    for (index, call) in calls.enumerated() {
      let type = FleetMethod.all[call.method]?.responseType
      let token = call.response.firstMessage.flatMap {
        Self.token("nextPageToken", in: $0, of: type)
      }
      groups[Group(call), default: []].append((index + 1, token ?? ""))
    }
    let endless = groups.compactMap { group, answers -> (number: Int, token: String)? in
      guard group.request == nil, let last = answers.last, !last.token.isEmpty,
        !loops || answers.allSatisfy({ !$0.token.isEmpty }),
        !calls.contains(where: { $0.method == group.method && $0.asks(for: last.token) })
      else { return nil }
      return last
    }
    return endless.sorted { $0.number < $1.number }.map { call in
      "call \(call.number) returns every page with the nextPageToken"
        + " \"\(call.token.shortened(to: 40))\": a client that fetches all pages may never stop;"
        + " add a call with its own \"request\" for each page"
    }
  }

  /// Calls that answer the same requests in turn.
  private struct Group: Hashable {
    var method: String
    var resource: String?
    var request: [UInt8]?

    init(_ call: ScriptedCall) {
      method = call.method
      switch call.request {
      case .message(let bytes): request = bytes
      case .resource(let name): resource = name
      case .any: break
      }
    }
  }

  /// Returns a field with the token of a page; nil if the field is not set, or the data is not such a message.
  fileprivate static func token(
    _ name: String, in data: [UInt8], of type: (any Message.Type)?
  ) -> String? {
    let json = try? type?.init(serializedBytes: data).jsonString()
    return json.flatMap { try? Struct(jsonString: $0) }?.fields[name]?.stringValue
  }
}

extension ScriptedCall {
  /// Whether it answers a request for a page and no other.
  fileprivate func asks(for token: String) -> Bool {
    guard case .message(let bytes) = request else { return false }
    let type = FleetMethod.all[method]?.requestType
    return ScriptedPages.token("pageToken", in: bytes, of: type) == token
  }
}

extension TimedResponse {
  /// The message without its frame; nil if there is none, or it is compressed.
  fileprivate var firstMessage: [UInt8]? {
    for step in steps {
      if case .message(let frame) = step.action, frame.first == 0 {
        return Array(frame.dropFirst(MessageFramer.prefixLength))
      }
    }
    return nil
  }
}
