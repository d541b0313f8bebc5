import FleetEngineAPI
import WireGRPC
import WireIO

@testable import Tripwire

/// A server whose answers a test gives, one by one.
actor ScriptedTrips {
  /// A request that waits for its answer.
  struct Poll {
    let request: GetTripRequest
    fileprivate let continuation: CheckedContinuation<Result<Trip, CallError>, Never>

    func answer(_ change: (inout Trip) -> Void = { _ in }) {
      var trip = Trip()
      trip.name = request.name
      trip.tripStatus = .enrouteToPickup
      change(&trip)
      continuation.resume(returning: .success(trip))
    }

    func fail(_ code: StatusCode) {
      continuation.resume(
        returning: .failure(CallError(code: code, message: "scripted", origin: .server)))
    }
  }

  private var waiting: [UInt64: Poll] = [:]
  private var order: [UInt64] = []
  private var watchers: [CheckedContinuation<Void, Never>] = []
  private(set) var cancelled = 0
  private(set) var asked = 0

  func fetch(_ request: GetTripRequest) async -> Result<Trip, CallError> {
    asked += 1
    let id = UInt64(asked)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        waiting[id] = Poll(request: request, continuation: continuation)
        order.append(id)
        notify()
        if Task.isCancelled { cancel(id) }
      }
    } onCancel: {
      Task { await self.cancel(id) }
    }
  }

  private func cancel(_ id: UInt64) {
    guard let poll = waiting.removeValue(forKey: id) else { return }
    order.removeAll { $0 == id }
    cancelled += 1
    notify()
    poll.fail(.cancelled)
  }

  private func notify() {
    for watcher in watchers { watcher.resume() }
    watchers = []
  }

  /// The next request, as soon as it is there.
  func next() async -> Poll {
    while order.isEmpty { await withCheckedContinuation { watchers.append($0) } }
    let id = order.removeFirst()
    return waiting.removeValue(forKey: id)!
  }

  /// Waits until so many requests were given up.
  func waitForCancelled(_ count: Int) async {
    while cancelled < count { await withCheckedContinuation { watchers.append($0) } }
  }
}
