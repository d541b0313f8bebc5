import FleetEngineAPI

/// The place of a call's resource, for the headers that Fleet Engine uses for routing and accounting.
///
/// A class, because most followed resources share one.
final class RequestRoute: Equatable, Sendable {
  /// The value of `x-goog-request-params`, by the routing rule of the method (AIP-4222).
  private let parameter: String?
  /// The value of `google-cloud-resource-prefix`, the provider, as Google's auth library sends it.
  private let prefix: String?
  private let isFleetEngine: Bool

  convenience init<Request, Response>(
    _ method: MethodDescriptor<Request, Response>, _ request: Request, resourceName: String
  ) {
    self.init(method.routing?.parameter(for: request), resourceName: resourceName)
  }

  fileprivate init(_ parameter: String?, resourceName: String?) {
    self.parameter = parameter
    prefix = resourceName.flatMap(providerPrefix)
    isFleetEngine = resourceName != nil
  }

  static func == (one: RequestRoute, other: RequestRoute) -> Bool {
    one === other
      || one.parameter == other.parameter && one.prefix == other.prefix
        && one.isFleetEngine == other.isFleetEngine
  }

  /// Returns the headers of a call: those above, `x-goog-api-client` with the calling library as
  /// `key/version` pairs, and the caller's own, which replace ours of the same name.
  func metadata(own: Metadata) -> Metadata {
    // Room for the token as well.
    var metadata = Metadata(minimumCapacity: 4 + own.count)
    func add(_ name: String, _ value: String?) {
      guard let value, own.isEmpty || own[all: name].isEmpty else { return }
      metadata.append(unchecked: name, .text(value))
    }
    add("x-goog-request-params", parameter)
    add("google-cloud-resource-prefix", prefix)
    if isFleetEngine { add("x-goog-api-client", apiClient) }
    metadata.append(contentsOf: own)
    return metadata
  }
}

/// Returns the headers of a call by the path of its method. Without a resource name the method is not
/// Fleet Engine's and gets the routing header only.
package func requestMetadata(
  routing: String?, resourceName: String?, own: Metadata
) -> Metadata {
  RequestRoute(routing, resourceName: resourceName).metadata(own: own)
}

private let apiClient = "gl-swift/6 gccl/\(libraryVersion)"

/// "providers/p" of "providers/p/trips/t".
private func providerPrefix(of name: String) -> String? {
  let start = "providers/"
  guard name.hasPrefix(start) else { return nil }
  let octets = name.utf8Span.span
  let id = octets.segment(from: start.utf8.count)
  return id.isEmpty ? nil : octets.text(0..<id.upperBound)
}
