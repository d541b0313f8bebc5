import FleetEngineAPI
import WireGRPC
import WireSystem

@testable import Tripwire

/// A server whose responses a test sends one by one.
actor ScriptedServer<Resource: FollowedResource> {
  /// A request that waits for its response; CANCELLED if it is released without one.
  final class Poll: Sendable {
    let request: Resource.Request
    private let continuation: Locked<CheckedContinuation<Result<Resource, CallError>, Never>?>

    init(
      _ request: Resource.Request,
      _ continuation: CheckedContinuation<Result<Resource, CallError>, Never>
    ) {
      self.request = request
      self.continuation = Locked(continuation)
    }

    deinit {
      fail(.cancelled)
    }

    func respond(with resource: Resource) {
      end(.success(resource))
    }

    func fail(_ code: StatusCode, _ message: String = "scripted") {
      end(.failure(CallError(code: code, message: message, origin: .server)))
    }

    private func end(_ result: Result<Resource, CallError>) {
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
  private let last: @Sendable (Resource.Request) -> Result<Resource, CallError>
  private(set) var canceled = 0
  private(set) var requestCount = 0

  /// - Parameter last: responds to all requests after the end.
  init(last: @escaping @Sendable (Resource.Request) -> Result<Resource, CallError>) {
    self.last = last
  }

  func fetch(
    _ request: Resource.Request
  ) async -> @Sendable () -> Result<Resource, CallError> {
    let result = await response(to: request)
    return { result }
  }

  private func response(to request: Resource.Request) async -> Result<Resource, CallError> {
    guard !isOver else { return last(request) }
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

extension ScriptedServer<Trip> {
  /// Ends a model that a test left active: with a clock that jumps it would poll without a pause.
  init() {
    self.init { request in
      .success(Trip(name: request.name, tripStatus: .complete))
    }
  }
}

extension ScriptedServer<Trip>.Poll {
  func respond(_ change: (inout Trip) -> Void = { _ in }) {
    var trip = Trip(name: request.name, tripStatus: .enrouteToPickup)
    change(&trip)
    respond(with: trip)
  }
}
