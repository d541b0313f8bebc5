package import FleetEngineAPI
import RelayAPI
import WireGRPC
import WireIO
import WireProtobuf

/// Receives the states of some resources, and keeps them requested.
///
/// It receives a new state when NATS publishes the accepted message again. This needs no consumer
/// for each reader. With the subjects of its poll request, a reader needs permission for only four
/// subjects of each resource.
package actor RelayReader {
  private final class Entry {
    let name: ResourceName
    let key: String
    var last = StreamPosition()
    var isOver = false
    /// Whether the last message is being read, because it is unknown which of two streams exists.
    var isComparing = false
    /// Whether the last state that was written has a problem.
    var hasProblem = false
    var subscription: NATSSubscription?
    let start = ContinuousClock.now
    /// When the last state was received or read.
    var received = ContinuousClock.now
    /// When the request has to be checked.
    var check = ContinuousClock.now

    init(_ name: ResourceName) {
      self.name = name
      key = RelayNames.key(name)
    }
  }

  /// How long a reader requests a resource, and when it renews the request.
  private static let lease = Duration.seconds(60)
  private static let renewal = Duration.seconds(30)
  /// How long the first state may take: a worker polls a requested resource at once, or after the lease of a
  /// worker that died.
  private static let firstState = Duration.seconds(10)

  private let client: RelayClient
  private let stream: JetStream
  private let pollRequests: PollRequests
  private let output: any StateReceiver
  private let report: @Sendable (NATSError) -> Void
  /// By their keys.
  private var entries: [String: Entry]
  /// Whether the resources are being read.
  private var isRunning = false
  private var clock = ServerClock()
  private var problem: NATSError? {
    didSet { if problem == nil { healthy = .now } }
  }
  /// Since when there is no problem, if there is none.
  private var healthy = ContinuousClock.now
  private var fatal: NATSError?
  /// Whether it was reported that a resource has no state.
  private var hasReportedMissingState = false

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe client.loop.asUnownedSerialExecutor()
  }

  /// - Parameter report: called when a problem occurs or changes.
  package init(
    _ client: RelayClient, _ names: [ResourceName], to output: any StateReceiver,
    report: @escaping @Sendable (NATSError) -> Void
  ) {
    self.client = client
    self.output = output
    self.report = report
    stream = JetStream(client)
    pollRequests = PollRequests(client)
    entries = Dictionary(
      names.map { (RelayNames.key($0), Entry($0)) }, uniquingKeysWith: { one, _ in one })
  }

  /// Reads until the task is canceled, or nobody reads the output.
  ///
  /// - Throws: ``NATSError`` if NATS refuses the reader for good.
  package func run() async throws(NATSError) {
    client.onEvent { [weak self, loop = client.loop] event in
      guard let self else { return }
      loop.execute { self.assumeIsolated { $0.take(event) } }
    }
    for entry in entries.values { try subscribe(entry) }
    isRunning = true
    await readAll()
    while await client.loop.sleep(until: .now + .milliseconds(200)) {
      if let fatal { throw fatal }
      if output.isClosed { return }
      guard client.isConnected else { continue }
      for entry in entries.values where !entry.isOver && entry.check <= .now { await renew(entry) }
      if problem == nil { reportMissingStates() }
    }
  }

  /// Reports that no worker polls a resource. A reader may not read the list of workers.
  private func reportMissingStates() {
    for entry in entries.values where !entry.hasProblem {
      guard let error = missingState(of: entry) else { continue }
      write(error, for: entry)
      guard !hasReportedMissingState else { continue }
      hasReportedMissingState = true
      report(error)
    }
  }

  /// The error of a resource whose first state is late; nil if it is not.
  private func missingState(of entry: Entry) -> NATSError? {
    guard entry.last == StreamPosition(), .now - max(entry.start, healthy) > Self.firstState else {
      return nil
    }
    return NATSError(.other, "no worker polls \(entry.name)", hint: RelayHint.noWorker)
  }

  private func subscribe(_ entry: Entry) throws(NATSError) {
    try RelayNames.check(entry.name)
    entry.subscription = try client.subscribe(RelayNames.liveSubject(entry.name)) {
      [weak self, key = entry.key, loop = client.loop] message in
      guard let self else { return }
      loop.execute { self.assumeIsolated { $0.take(message, of: key) } }
    }
  }

  // MARK: Resources

  /// Reads another resource, too.
  func add(_ name: ResourceName) {
    let entry = Entry(name)
    if let present = entries[entry.key] {
      // It has new followers, which need the last state.
      Task { await read(present) }
      return
    }
    do throws(NATSError) {
      try RelayNames.check(name)
    } catch {
      return write(error, for: entry)
    }
    entries[entry.key] = entry
    guard isRunning else { return }
    do throws(NATSError) {
      try subscribe(entry)
      if let problem { write(problem, for: entry) }
      Task { await read(entry) }
    } catch {
      fail(error)
      write(error, for: entry)
    }
  }

  /// No longer reads a resource. Its request ends by itself.
  func remove(_ name: ResourceName) {
    entries[RelayNames.key(name)] = nil
  }

  // MARK: Poll requests

  private func renew(_ entry: Entry) async {
    // At different times in many readers, so that one of them renews for all.
    entry.check = .now + Self.renewal * Double.random(in: 0.5..<1)
    do throws(NATSError) {
      if let rest = try await pollRequests.remaining(entry.name, clock), rest < Self.renewal {
        let offset = try await pollRequests.add(entry.name, for: Self.lease)
        clock = ServerClock(offset: offset)
      }
      if problem != nil {
        problem = nil
        await readAll()
      } else if .now - entry.received > Self.renewal {
        // NATS repeats no messages that were lost between its nodes.
        await read(entry)
      }
    } catch {
      entry.check = .now + .seconds(1)
      if error.kind != .disconnected { fail(error) }
    }
  }

  // MARK: States

  private func readAll() async {
    for entry in entries.values { await read(entry) }
  }

  /// Reads the last state of a resource.
  private func read(_ entry: Entry) async {
    let before = entry.last
    entry.received = .now
    do throws(NATSError) {
      guard
        let last = try await stream.last(
          RelayNames.stateSubject(entry.name), in: RelayNames.stream(entry.name.kind))
      else {
        if let problem = problem ?? missingState(of: entry) {
          write(problem, for: entry)
        } else if entry.hasProblem {
          entry.hasProblem = false
          output.write(ResourceState(name: entry.name.description), age: nil)
        }
        return
      }
      pass(
        last.message.data, last.sequence, age: max(0, clock.now - last.time), to: entry,
        isLast: entry.last == before)
    } catch {
      if error.kind != .disconnected { fail(error) }
    }
  }

  private func take(_ message: NATSMessage, of key: String) {
    guard let entry = entries[key],
      let sequence = message.headers["Nats-Sequence"].flatMap({ UInt64($0) })
    else { return }
    entry.received = .now
    pass(message.data, sequence, age: 0, to: entry, isLast: false)
  }

  /// - Parameter isLast: whether this was the last message of the stream, at a time when `entry` was as now.
  private func pass(
    _ bytes: [UInt8], _ sequence: UInt64, age: Double, to entry: Entry, isLast: Bool
  ) {
    // The last state is read again after a lost connection. Workers set the time in each state.
    guard var state = try? ResourceState(serializedBytes: bytes),
      state.name == entry.name.description, state.streamTime != nil
    else { return }
    state.streamSequence = sequence
    // An old error, which no worker repeats.
    if state.resource == nil, state.isOutdated(after: .seconds(min(age, 1e9))) { return }
    let position = StreamPosition(state)
    if position.precedes(entry.last) {
      guard position.isInOtherStream(than: entry.last) else { return }
      // A late message of a lost stream, or the clock of the server that created the new one is behind.
      guard isLast else { return compareStreams(entry) }
    }
    guard position != entry.last || problem == nil else { return }
    entry.last = position
    entry.hasProblem = false
    if state.isFinal { entry.isOver = true }
    state.relayError = nil
    output.write(state, age: .seconds(min(age, 1e9)))
  }

  /// Reads the last message, which is in the stream that exists.
  private func compareStreams(_ entry: Entry) {
    guard !entry.isComparing else { return }
    entry.isComparing = true
    Task {
      await read(entry)
      entry.isComparing = false
    }
  }

  // MARK: Problems

  private func take(_ event: NATSConnection.Event) {
    switch event {
    case .disconnected:
      fail(
        NATSError(
          .disconnected, "the connection to NATS at \(client.options.shownURL) was lost",
          hint: "check that NATS runs: the reader continues when NATS is reachable again"))
    case .reconnected:
      problem = nil
      Task {
        await readAll()
        for entry in entries.values { entry.check = .now }
      }
    case .closed(let error): fatal = error
    case .error(let error): fail(error)
    }
  }

  private func fail(_ error: NATSError) {
    guard problem != error else { return }
    problem = error
    report(error)
    for entry in entries.values where !entry.isOver { write(error, for: entry) }
  }

  private func write(_ error: NATSError, for entry: Entry) {
    var state = ResourceState(
      name: entry.name.description, streamSequence: entry.last.sequence, streamTime: entry.last.time
    )
    entry.hasProblem = true
    state.relayError = RPCStatus(
      code: Int32(StatusCode.unavailable.rawValue), message: error.message)
    output.write(state, age: nil)
  }
}
