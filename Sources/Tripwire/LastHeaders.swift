import WireGRPC
import WireSystem

/// The headers of the last call without a task. They are reused, because most calls of a service have the
/// same (docs/decisions/fleet/polls-without-tasks.md).
final class LastHeaders: Sendable {
  private struct Entry {
    var route: RequestRoute
    var token: String?
    var own: Metadata
    var headers: PreparedMetadata
  }

  private let last = Locked<Entry?>(nil)
  private let lastRoute = Locked<RequestRoute?>(nil)

  /// Returns the last route if it is equal, so that many followed resources share one.
  func shared(_ route: RequestRoute) -> RequestRoute {
    lastRoute.withLock { last in
      if let last, last == route { return last }
      last = route
      return route
    }
  }

  /// Returns the headers of a call, or nil if they are invalid.
  ///
  /// - Parameter own: the metadata of the caller.
  func prepared(_ route: RequestRoute, _ token: AuthToken?, own: Metadata) -> PreparedMetadata? {
    last.withLock { last in
      if let last, last.route == route, last.token == token?.value, last.own == own {
        return last.headers
      }
      var metadata = route.metadata(own: own)
      if let token { metadata.authorize(with: token) }
      guard let headers = try? PreparedMetadata(metadata) else { return nil }
      last = Entry(route: route, token: token?.value, own: own, headers: headers)
      return headers
    }
  }
}
