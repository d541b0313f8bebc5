import FleetEngineAPI
import WireGRPC
import WireSystem

@testable import Tripwire

/// A server whose responses a test sends one by one.
actor ScriptedTrips {
  /// A request that waits for its response; CANCELLED if it is released without one.
  final class Poll: Sendable {
    let request: GetTripRequest
    private let continuation: Locked<CheckedContinuation<Result<Trip, CallError>, Never>?>

    init(
      _ request: GetTripRequest,
      _ continuation: CheckedContinuation<Result<Trip, CallError>, Never>
    ) {
      self.request = request
      self.continuation = Locked(continuation)
    }

    deinit {
      fail(.cancelled)
    }

    func respond(_ change: (inout Trip) -> Void = { _ in }) {
      var trip = Trip()
      trip.name = request.name
      trip.tripStatus = .enrouteToPickup
      change(&trip)
      end(.success(trip))
    }

    func fail(_ code: StatusCode, _ message: String = "scripted") {
      end(.failure(CallError(code: code, message: message, origin: .server)))
    }

    private func end(_ result: Result<Trip, CallError>) {
      let continuation = continuation.withLock { continuation in
        defer { continuation = nil }
        return continuation
      }
      continuation?.resume(returning: result)
    }
  }

  private var waiting: [UInt64: Poll] = [:]
  private var order: [UInt64] = []
  private var watchers: [CheckedContinuation<Void, Never>] = []
  private var isOver = false
  private(set) var canceled = 0
  private(set) var requestCount = 0

  func fetch(_ request: GetTripRequest) async -> PolledResource<TripModel>.Answer {
    let result = await response(to: request)
    return { result }
  }

  private func response(to request: GetTripRequest) async -> Result<Trip, CallError> {
    guard !isOver else {
      // Ends a model that a test left active: with a clock that jumps it would poll without a
      // pause.
      var trip = Trip()
      trip.name = request.name
      trip.tripStatus = .complete
      return .success(trip)
    }
    requestCount += 1
    let id = UInt64(requestCount)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        waiting[id] = Poll(request, continuation)
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
    canceled += 1
    notify()
    poll.fail(.cancelled)
  }

  /// Drops all requests, which would otherwise wait forever.
  func end() {
    isOver = true
    (waiting, order) = ([:], [])
  }

  private func notify() {
    for watcher in watchers { watcher.resume() }
    watchers = []
  }

  /// Waits for the next request.
  func next() async -> Poll {
    while order.isEmpty { await withCheckedContinuation { watchers.append($0) } }
    let id = order.removeFirst()
    return waiting.removeValue(forKey: id)!
  }

  /// Waits until this many requests were canceled.
  func waitForCanceled(_ count: Int) async {
    while canceled < count { await withCheckedContinuation { watchers.append($0) } }
  }
}
