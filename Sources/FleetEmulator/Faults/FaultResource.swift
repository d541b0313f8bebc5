import FleetEngineAPI
import Tripwire

/// The resource of a fault.
struct FaultResource: Sendable, Hashable {
  /// The ID of the Cloud project; nil for all of them.
  let providerID: String?
  let kind: ResourceKind
  let id: String

  init(_ name: ResourceName) { (providerID, kind, id) = (name.providerID, name.kind, name.id) }

  /// Parses a name with or without the provider; nil for another text.
  init?(_ text: String) {
    let isFull = text.hasPrefix("providers/")
    guard let name = try? ResourceName(isFull ? text : "providers/p/\(text)") else { return nil }
    (providerID, kind, id) = (isFull ? name.providerID : nil, name.kind, name.id)
  }

  /// Whether it is the resource with a name.
  func isOf(_ name: ResourceName) -> Bool {
    kind == name.kind && id == name.id && providerID.map { $0 == name.providerID } ?? true
  }

  /// Whether a call uses the resource, or creates it.
  func isUsed(by call: AuthorizationContext) -> Bool {
    guard call[kind] == id || kind == .task && call.taskIDs.contains(id) else { return false }
    return providerID.map { $0 == call.providerID } ?? true
  }
}

extension AuthorizationContext {
  /// The ID of the Cloud project.
  var providerID: String? {
    resourceName.split(separator: "/").dropFirst().first.map(String.init)
  }
}
