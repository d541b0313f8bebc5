import WireIO
import WireSystem

/// The receivers of the reports of one source, by kind of resource.
final class SourceReceivers: Sendable {
  private struct State {
    var closers: [@Sendable () async -> Void] = []
    var isClosed = false
  }

  private let source: any TripSource
  private let loop: EventLoop
  private let state = Locked(State())

  init(source: any TripSource, loop: EventLoop) {
    self.source = source
    self.loop = loop
  }

  /// Returns the receiver of trips.
  func trips() -> ResourceReceiver<TripModel> {
    let source = source
    return receiver { name, report throws(ResourceNameError) in
      source.follow(try TripName(name), report: report)
    }
  }

  /// Returns a receiver of other resources; nil if the source has trips only.
  ///
  /// - Parameter parse: fails for a malformed name.
  func resources<Resource>(
    _ parse: @escaping @Sendable (String) throws(ResourceNameError) -> ResourceName
  ) -> ResourceReceiver<ResourceModel<Resource>>? {
    guard let source = source as? any ResourceSource else { return nil }
    return receiver { name, report throws(ResourceNameError) in
      source.follow(try parse(name), report: report)
    }
  }

  private func receiver<Model: FollowingModel>(
    _ follow: @escaping ResourceReceiver<Model>.Follow
  ) -> ResourceReceiver<Model> {
    let receiver = ResourceReceiver<Model>(loop: loop, follow: follow)
    let isClosed = state.withLock { state in
      state.closers.append { await receiver.close() }
      return state.isClosed
    }
    if isClosed { Task { await receiver.close() } }
    return receiver
  }

  /// Stops following all resources.
  func close() async {
    let closers = state.withLock { state in
      state.isClosed = true
      return state.closers
    }
    for close in closers { await close() }
  }
}
