/// Completes responses that leave out unchanged parts of a resource.
///
/// Some parts of a trip or vehicle have version stamps. The response to a request with stamps contains
/// only the parts that changed. A response leaves out both unchanged and empty parts, and the stamp tells
/// them apart. All other fields are sent every time, so a missing field is empty.
package struct ResourceMerge<Resource: FollowedResource>: Sendable {
  /// The effect of a response.
  package enum Outcome: Sendable {
    case merged(ReceivedResource<Resource>)
    /// The response leaves out parts that are not held or out of date: only a complete response
    /// helps.
    case wholeNeeded
    /// The response is older than the held resource, for example from a server that lags behind
    /// others.
    case outdated
  }

  private(set) var held: ReceivedResource<Resource>?
  /// The options of the request for the held resource.
  private var options = Resource.RequestOptions()
  /// Whether the stamps of the held resource may be sent.
  private var isCurrent = false

  package init() {}

  /// Holds a resource that was received elsewhere.
  mutating func seed(
    _ resource: ReceivedResource<Resource>, _ options: Resource.RequestOptions
  ) {
    held = resource
    self.options = options
    isCurrent = true
  }

  /// Adds the stamps of the held resource if it was requested with the same options.
  func stamp(_ request: inout Resource.Request) {
    guard isCurrent, let held, options == Resource.options(of: request) else { return }
    held.resource.stamp(&request)
  }

  /// Requests a complete response next. The held resource stays until then.
  mutating func requestCompleteResource() {
    isCurrent = false
  }

  /// - Parameter request: the request of this response, made from the held resource.
  package mutating func take(
    _ response: consuming Resource, to request: Resource.Request
  ) -> Outcome {
    if response.isOlder(than: request) {
      // If the server's time has gone back, the next response is accepted.
      isCurrent = false
      return .outdated
    }
    if let held, Resource.hasStamps(request) {
      // A resource that is over is not polled again, so its missing parts are gone.
      let original = response.isFinal ? copy response : nil
      if !response.complete(from: held.resource, to: request) {
        guard let original else {
          isCurrent = false
          return .wholeNeeded
        }
        response = original
      }
    }
    isCurrent = true
    options = Resource.options(of: request)
    if let held {
      if held.resource == response { return .merged(held) }
      response.shareEqualParts(with: held.resource)
    }
    let merged = ReceivedResource(response)
    held = merged
    return .merged(merged)
  }
}

/// A resource as it was received. A class, because it is passed on many times.
package final class ReceivedResource<Resource: FollowedResource>: Sendable {
  package let resource: Resource

  init(_ resource: consuming Resource) {
    self.resource = resource
  }
}
