import Tripwire

/// Selects the calls of a recording that meet some criteria.
package final class CallSelection {
  /// A name that is not in the recording, and the first names that are.
  package enum Mismatch {
    case method(String, seen: [String])
    case resources([String], seen: [String], hasTruncatedCall: Bool)
  }

  private let criteria: CallCriteria
  private let interval: LogInterval
  private var methods = SeenNames()
  private var resources = SeenNames()
  /// Whether the message that may name the resource of a call is truncated.
  private var hasTruncatedCall = false

  /// - Parameter interval: the interval of the criteria.
  package init(_ criteria: CallCriteria, in interval: LogInterval) {
    self.criteria = criteria
    self.interval = interval
  }

  /// Whether the selection depends on the end of a call.
  package var needsEnd: Bool {
    criteria.isErrors || !criteria.statuses.isEmpty || criteria.slow != nil
  }

  /// Whether the selection depends on the resource of a call.
  var needsRequest: Bool { !criteria.resources.isEmpty }

  package func includes(_ call: LoggedCall) -> Bool {
    guard mayInclude(call), !needsRequest || call.resourceName != nil else { return false }
    if criteria.isErrors, call.status == .ended(.ok) { return false }
    if !criteria.statuses.isEmpty {
      switch call.status {
      case .unfinished: return false
      case .canceled: guard criteria.statuses.contains(.cancelled) else { return false }
      case .ended(let code): guard criteria.statuses.contains(code) else { return false }
      }
    }
    guard let slow = criteria.slow else { return true }
    return call.latency.map { $0 >= slow } ?? false
  }

  /// Returns false if no later entry can make the selection include the call.
  func mayInclude(_ call: LoggedCall) -> Bool {
    interval.note(call.start)
    if let wanted = criteria.method {
      guard let method = call.method else { return false }
      let isWanted = Self.isNamed(method, wanted)
      methods.add(String(method.dropFirst()), isWanted: isWanted)
      guard isWanted else { return false }
    }
    if needsRequest {
      if let name = call.resourceName {
        let isWanted = criteria.resources.contains { name == $0 || name.hasSuffix("/" + $0) }
        resources.add(name, isWanted: isWanted)
        guard isWanted else { return false }
      } else if call.isTruncated {
        hasTruncatedCall = true
      }
    }
    return interval.contains(call.start)
  }

  /// The wanted name that no call had, or nil.
  package var mismatch: Mismatch? {
    if let wanted = criteria.method, !methods.hasWanted {
      return .method(wanted, seen: methods.others)
    }
    guard needsRequest, !resources.hasWanted else { return nil }
    return .resources(
      criteria.resources, seen: resources.others, hasTruncatedCall: hasTruncatedCall)
  }

  /// Whether "/package.Service/Method" ends with the wanted name.
  private static func isNamed(_ path: String, _ wanted: String) -> Bool {
    let path = path.utf8.dropFirst()
    let wanted = wanted.utf8.drop { $0 == UInt8(ascii: "/") }
    guard path.count >= wanted.count, path.suffix(wanted.count).elementsEqual(wanted) else {
      return false
    }
    let before = path.dropLast(wanted.count).last
    return before == nil || before == UInt8(ascii: "/") || before == UInt8(ascii: ".")
  }
}
