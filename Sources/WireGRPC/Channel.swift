/// A way to one gRPC server: makes the connection when a call needs it, keeps it, and makes a new
/// one when it is lost.
///
///     let channel = try Channel(target: "fleetengine.googleapis.com")
///     let trip = try await channel.unary(TripServiceMethods.getTrip, request).message
///
/// Nothing has to run in the background and nothing has to be closed: dropping the last reference
/// cancels what is in flight and closes the connection; ``close()`` lets it finish first.
public final class Channel: Sendable {
  /// - Parameter target: `host:port`, `host` (port 443 with TLS, 80 without), `[::1]:50051`,
  ///   `dns:///host:port`, `ipv4:127.0.0.1:50051`, `ipv6:[::1]:50051`, `unix:path` or
  ///   `unix:///absolute/path`.
  /// - Throws: ``CallError`` with the reason ``ConnectionFailure/Reason/configuration`` when the
  ///   target is malformed or the TLS configuration cannot be used. Nothing is dialled yet.
  public init(
    target: String, configuration: ChannelConfiguration = ChannelConfiguration()
  ) throws(CallError) {
    throw CallError(code: .unimplemented, message: "the channel is being built", origin: .local)
  }

  /// Sends one message and returns the one that answers it.
  ///
  /// Cancelling the task cancels the call on the server, too, and throws CANCELLED.
  ///
  /// - Throws: ``CallError`` for every status but OK.
  public func unary<Request, Response>(
    _ method: MethodDescriptor<Request, Response>, _ request: Request,
    options: CallOptions = CallOptions()
  ) async throws(CallError) -> CallResponse<Response> {
    throw CallError(code: .unimplemented, message: "the channel is being built", origin: .local)
  }

  /// Takes no more calls, lets those in flight finish, then closes the connection. Calls that are
  /// still queued, or made later, fail with UNAVAILABLE.
  public func close() async {}
}
