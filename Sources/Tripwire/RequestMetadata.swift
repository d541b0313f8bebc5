/// The headers of a call: those that Fleet Engine routes and counts by, and the caller's own, which
/// stand in for ours of the same name.
///
/// - `x-goog-request-params`: the provider, by the routing rule of the method (AIP-4222);
/// - `google-cloud-resource-prefix`: the same for raw gRPC, as Google's auth library has it;
/// - `x-goog-api-client`: which library is calling, as `key/version` pairs.
func requestMetadata<Request, Response>(
  _ method: MethodDescriptor<Request, Response>, _ request: Request, resourceName: String,
  own: Metadata
) throws(CallError) -> Metadata {
  try requestMetadata(
    path: method.path, routing: method.routing?.parameter(for: request),
    resourceName: resourceName, own: own)
}

/// The same for a method that is known by its path. Without the name of a resource it is not Fleet
/// Engine's, and has the routing alone.
package func requestMetadata(
  path: String, routing: String?, resourceName: String?, own: Metadata
) throws(CallError) -> Metadata {
  var metadata = Metadata()
  func add(_ name: String, _ value: String?) throws(CallError) {
    guard let value, own[all: name].isEmpty else { return }
    do throws(MetadataError) {
      try metadata.append(name, value)
    } catch {
      throw CallError(
        code: .internal, message: error.description, origin: .local, path: path)
    }
  }
  try add("x-goog-request-params", routing)
  if let resourceName {
    try add("google-cloud-resource-prefix", providerPrefix(of: resourceName))
    try add("x-goog-api-client", "gl-swift/6 gccl/\(libraryVersion)")
  }
  metadata.append(contentsOf: own)
  return metadata
}

/// "providers/p" of "providers/p/trips/t".
private func providerPrefix(of name: String) -> String? {
  let segments = name.split(separator: "/", omittingEmptySubsequences: false)
  guard segments.count >= 2, segments[0] == "providers", !segments[1].isEmpty else { return nil }
  return "providers/" + segments[1]
}

/// "t" of "providers/p/trips/t".
func lastSegment(of name: String) -> String? {
  name.split(separator: "/").last.map(String.init)
}
