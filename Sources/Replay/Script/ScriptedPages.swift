import FleetEngineAPI
import FleetEngineDeliveryAPI
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
      guard let method = methods[call.method] else { continue }
      let token = call.response.firstMessage.flatMap(method.nextToken) ?? ""
      groups[Group(call), default: []].append((index + 1, token))
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

  fileprivate struct Method: Sendable {
    /// Nil for bytes that are not a request.
    var token: @Sendable ([UInt8]) -> String?
    /// Nil for bytes that are not a response.
    var nextToken: @Sendable ([UInt8]) -> String?
  }

  fileprivate static let methods = [
    TripServiceMethods.searchTrips.path: Method(
      token: { (try? SearchTripsRequest(serializedBytes: $0))?.pageToken },
      nextToken: { (try? SearchTripsResponse(serializedBytes: $0))?.nextPageToken }),
    VehicleServiceMethods.listVehicles.path: Method(
      token: { (try? ListVehiclesRequest(serializedBytes: $0))?.pageToken },
      nextToken: { (try? ListVehiclesResponse(serializedBytes: $0))?.nextPageToken }),
    DeliveryServiceMethods.listDeliveryVehicles.path: Method(
      token: { (try? ListDeliveryVehiclesRequest(serializedBytes: $0))?.pageToken },
      nextToken: { (try? ListDeliveryVehiclesResponse(serializedBytes: $0))?.nextPageToken }),
    DeliveryServiceMethods.listTasks.path: Method(
      token: { (try? ListTasksRequest(serializedBytes: $0))?.pageToken },
      nextToken: { (try? ListTasksResponse(serializedBytes: $0))?.nextPageToken }),
  ]
}

extension ScriptedCall {
  /// Whether it answers a request for a page and no other.
  fileprivate func asks(for token: String) -> Bool {
    guard case .message(let bytes) = request else { return false }
    return ScriptedPages.methods[method]?.token(bytes) == token
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
