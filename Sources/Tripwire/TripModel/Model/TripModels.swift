import WireGRPCClient

/// The trip models of a service, and the calls that they make.
final class TripModels: Sendable {
  private let client: FleetClient
  private let poller: TripPoller
  private let models = ModelRegistry<TripModel>()

  init(client: FleetClient) {
    self.client = client
    poller = TripPoller(loop: client.channel.loop)
  }

  subscript(name: String) -> TripModel {
    models.model(named: name) { makeModel(name, whenGone: $0) }
  }

  func has(_ name: String) -> Bool { models.has(name) }

  var all: [TripModel] { models.all }

  private func makeModel(
    _ name: String, whenGone: @escaping @Sendable (ObjectIdentifier) -> Void
  ) -> TripModel {
    let context: AuthorizationContext
    do throws(ResourceNameError) {
      context = AuthorizationContext(resourceName: name, tripID: try TripName(name).tripID)
    } catch {
      let failure = CallError(
        code: .invalidArgument, message: error.description, origin: .local,
        path: TripServiceMethods.getTrip.path)
      return TripModel(tripName: name, poller: poller, whenGone: whenGone) { _, _ in
        { .failure(failure) }
      }
    }
    let whenIdle = { @Sendable [client] in client.tokens?.stopRefreshing(context) ?? () }
    return TripModel(tripName: name, poller: poller, whenIdle: whenIdle, whenGone: whenGone) {
      [client] request, options in
      var options = options
      options.retryPolicy = .never
      do throws(CallError) {
        let response = try await client.rawCall(
          TripServiceMethods.getTrip, request, for: context, options)
        return { Result { () throws(CallError) in try response.decode().message } }
      } catch {
        return { .failure(error) }
      }
    }
  }
}
