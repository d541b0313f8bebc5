import WireGRPC
import WireGRPCClient
import WireProtobuf

extension FleetClient {
  /// Returns the requests for the resource of a valid name. Models decide when to try again, so the calls are not
  /// retried.
  func fetch<Resource: FollowedResource>(_ name: String) -> ResourceFetch<Resource> {
    let route = headers.shared(
      RequestRoute(
        Resource.getMethod, Resource.request(forName: name), resourceName: name))
    return ResourceFetch { request, options, report in
      // Not captured, because each followed resource has such a closure.
      let method = Resource.getMethod
      let context =
        tokens == nil ? AuthorizationContext(resourceName: name) : AuthorizationContext(of: name)
      var options = options
      options.retryPolicy = .never
      let message = request.serializedBytes()
      if let channel {
        let cancel = start(
          message, to: method.path, on: channel, route, for: context,
          channel.complete(options, for: method)
        ) { step in
          switch step {
          case .ended(let response):
            report(.answered(.init(response, to: message)))
          case .refused(let secondAttempt):
            report(.task { .init(await Result(secondAttempt), to: message) })
          }
        }
        if let cancel { return .calling(cancel: cancel) }
      }
      return .task { [options] in
        .init(
          await Result { () async throws(CallError) in
            try await rawCall(method, request, for: context, options)
          }, to: message)
      }
    }
  }
}

extension FleetClient {
  /// Returns a closure that stops refreshing the token for a resource that is no longer followed.
  func stopRefreshingToken(_ name: String) -> @Sendable () -> Void {
    guard let tokens else { return {} }
    return { tokens.stopRefreshing(AuthorizationContext(of: name)) }
  }
}

extension Result where Failure == CallError {
  fileprivate init(_ body: () async throws(CallError) -> Success) async {
    do throws(CallError) {
      self = .success(try await body())
    } catch {
      self = .failure(error)
    }
  }
}

extension ResourceFetch.Answer {
  /// - Parameter request: the encoded request.
  fileprivate init(_ response: Result<RawResponse, CallError>, to request: [UInt8]) {
    if case .success(let response) = response {
      exchange = { ExchangeFingerprint(of: request, response.message) }
      skip = { response.skip() }
    }
    decode = { () throws(CallError) in
      let decoded: CallResponse<Resource> = try response.get().decode()
      return decoded.message
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

  /// The failure of the models of closed services.
  ///
  /// - Parameter path: the path of the method that gets the resource.
  static func closedServices(path: String) -> CallError {
    var error = CallError(
      code: .unavailable, message: "these FleetServices are closed", origin: .local, path: path)
    error.isChannelClosed = true
    return error
  }
}
