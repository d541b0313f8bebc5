import WireIO

/// The trip models of a service: one for each name, as long as somebody holds it or follows the trip.
final class TripModels: Sendable {
  /// A class, as Swift 6.3 crashes on a weak reference in a dictionary's missing value.
  private final class Entry: Sendable {
    /// Never let go under the lock, which its end takes.
    weak let model: TripModel?
    let id: ObjectIdentifier

    init(_ model: TripModel) {
      self.model = model
      id = ObjectIdentifier(model)
    }
  }

  private let client: FleetClient
  private let ticks: RefreshTicks
  private let entries = Locked<[String: Entry]>([:])

  init(client: FleetClient) {
    self.client = client
    ticks = RefreshTicks(clock: ContinuousClock(), executor: client.channel.executor)
  }

  subscript(name: String) -> TripModel {
    entries.withLock { entries in
      if let model = entries[name]?.model { return model }
      let model = makeModel(name)
      entries[name] = Entry(model)
      return model
    }
  }

  func has(_ name: String) -> Bool {
    let model = entries.withLock { $0[name]?.model }
    return model != nil
  }

  var all: [TripModel] {
    entries.withLock { $0.values.compactMap(\.model) }
  }

  private func makeModel(_ name: String) -> TripModel {
    let whenGone = { @Sendable [weak self] (id: ObjectIdentifier) in
      self?.forget(name, id) ?? ()
    }
    let context: AuthorizationContext
    do throws(ResourceNameError) {
      context = AuthorizationContext(resourceName: name, tripID: try TripName(name).tripID)
    } catch {
      let failure = CallError(
        code: .invalidArgument, message: error.description, origin: .local,
        path: TripServiceMethods.getTrip.path)
      return TripModel(tripName: name, ticks: ticks, whenGone: whenGone) { _, _ in .failure(failure)
      }
    }
    let whenIdle = { @Sendable [client] in client.tokens?.stopRefreshing(context) ?? () }
    return TripModel(tripName: name, ticks: ticks, whenIdle: whenIdle, whenGone: whenGone) {
      [client] request, options in
      var options = options
      options.retryPolicy = .never
      do throws(CallError) {
        return .success(
          try await client.call(TripServiceMethods.getTrip, request, for: context, options).message)
      } catch {
        return .failure(error)
      }
    }
  }

  /// Another model may have come in its place.
  private func forget(_ name: String, _ id: ObjectIdentifier) {
    entries.withLock { entries in
      if entries[name]?.id == id { entries[name] = nil }
    }
  }
}
