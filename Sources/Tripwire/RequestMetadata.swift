/// Returns the headers of a call: those that Fleet Engine uses for routing and accounting, and the
/// caller's own, which replace ours of the same name.
///
/// - `x-goog-request-params`: the provider, by the routing rule of the method (AIP-4222);
/// - `google-cloud-resource-prefix`: the same value for raw gRPC, as Google's auth library sends
///   it;
/// - `x-goog-api-client`: the calling library, as `key/version` pairs.
func requestMetadata<Request, Response>(
  _ method: MethodDescriptor<Request, Response>, _ request: Request, resourceName: String,
  own: Metadata
) -> Metadata {
  requestMetadata(
    routing: method.routing?.parameter(for: request), resourceName: resourceName, own: own)
}

/// Returns the headers of a call by the path of its method. Without a resource name the method is not
/// Fleet Engine's and gets the routing header only.
package func requestMetadata(
  routing: String?, resourceName: String?, own: Metadata
) -> Metadata {
  // Room for the token as well.
  var metadata = Metadata(minimumCapacity: 4 + own.count)
  func add(_ name: String, _ value: String?) {
    guard let value, own.isEmpty || own[all: name].isEmpty else { return }
    metadata.append(unchecked: name, .text(value))
  }
  add("x-goog-request-params", routing)
  if let resourceName {
    add("google-cloud-resource-prefix", providerPrefix(of: resourceName))
    add("x-goog-api-client", apiClient)
  }
  metadata.append(contentsOf: own)
  return metadata
}

private let apiClient = "gl-swift/6 gccl/\(libraryVersion)"

/// "providers/p" of "providers/p/trips/t".
private func providerPrefix(of name: String) -> String? {
  guard name.hasPrefix("providers/") else { return nil }
  let id = name.utf8.dropFirst("providers/".utf8.count).prefix { $0 != UInt8(ascii: "/") }
  return id.isEmpty ? nil : String(name[..<id.endIndex])
}

/// "t" of "providers/p/trips/t".
func lastSegment(of name: String) -> String? {
  let slash = UInt8(ascii: "/")
  guard let end = name.utf8.lastIndex(where: { $0 != slash }) else { return nil }
  let whole = name.utf8[...end]
  let start = whole.lastIndex(of: slash).map(whole.index(after:)) ?? whole.startIndex
  return String(Substring(whole[start...]))
}
