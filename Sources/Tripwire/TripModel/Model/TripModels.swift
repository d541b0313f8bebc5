import WireGRPC
import WireGRPCClient

/// The trip models of a service, and the calls that they make.
final class TripModels: Sendable {
  private enum Origin: Sendable {
    case server(FleetClient, ResourcePoller<TripModel>)
    case source(ResourceReceiver<TripModel>)
  }

  private let origin: Origin
  private let models = ModelRegistry<TripModel>()

  init(client: FleetClient, channel: Channel) {
    origin = .server(client, ResourcePoller<TripModel>(loop: channel.loop))
  }

  init(receiver: ResourceReceiver<TripModel>) {
    origin = .source(receiver)
  }

  subscript(name: String) -> TripModel {
    models.model(named: name) { whenGone in
      switch origin {
      case .server(let client, let poller):
        Self.polledModel(name, client, poller, whenGone: whenGone)
      case .source(let receiver):
        TripModel(tripName: name, receiver: receiver, whenGone: whenGone)
      }
    }
  }

  func has(_ name: String) -> Bool { models.has(name) }

  var all: [TripModel] { models.all }

  private static func polledModel(
    _ name: String, _ client: FleetClient, _ poller: ResourcePoller<TripModel>,
    whenGone: @escaping @Sendable (ObjectIdentifier) -> Void
  ) -> TripModel {
    do throws(ResourceNameError) {
      _ = try TripName(name)
    } catch {
      let failure = CallError.malformedName(error, path: TripServiceMethods.getTrip.path)
      return TripModel(
        tripName: name, poller: poller, whenGone: whenGone,
        fetch: ResourceFetch { _, _ in { .failure(failure) } })
    }
    return TripModel(
      tripName: name, poller: poller, whenIdle: client.stopRefreshingToken(name),
      whenGone: whenGone,
      fetch: client.fetch(name))
  }
}
