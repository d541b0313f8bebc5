import WireGRPC

extension FleetClient {
  /// Returns a closure that requests a resource. Models decide when to try again, so the calls are not
  /// retried.
  func fetch<Resource: FollowedResource>(
    for context: AuthorizationContext
  )
    -> @Sendable (Resource.Request, CallOptions) async ->
    @Sendable () -> Result<
      Resource, CallError
    >
  {
    { request, options in
      var options = options
      options.retryPolicy = .never
      do throws(CallError) {
        let response = try await rawCall(Resource.getMethod, request, for: context, options)
        return { Result { () throws(CallError) in try response.decode().message } }
      } catch {
        return { .failure(error) }
      }
    }
  }
}

extension CallError {
  /// The failure of a model whose name is malformed.
  ///
  /// - Parameter path: the path of the method that gets the resource.
  static func malformedName(_ error: ResourceNameError, path: String) -> CallError {
    CallError(
      code: .invalidArgument, message: error.description, origin: .local, path: path)
  }
}
