package import FleetEngineAPI
import RelayAPI
import WireGRPC
import WireIO
import WireProtobuf

/// Receives the states of some resources, and keeps them requested.
///
/// It receives a new state when NATS publishes the accepted message again. This needs no consumer
/// for each reader. With the subjects of its poll request, a reader needs permission for only four
/// subjects of each resource. ``ResourceView`` decides what is shown, read and requested.
package actor RelayReader {
  private final class Entry {
    let name: ResourceName
    let key: String
    var view: ResourceView
    var subscription: NATSSubscription?

    init(_ name: ResourceName, at now: ContinuousClock.Instant) {
      self.name = name
      key = RelayNames.key(name)
      view = ResourceView(at: now)
    }
  }

  /// How long a reader requests a resource.
  private static let lease = Duration.seconds(60)
  /// The maximum number of open requests. Each takes a round trip or more, so they are sent together.
  private static let mostRequests = 256

  private let client: RelayClient
  private let stream: JetStream
  private let pollRequests: PollRequests
  private let output: any StateReceiver
  private let problems: ProblemLog
  /// By their keys.
  private var entries: [String: Entry]
  private var layout = StreamLayout.single
  private var nextLayoutCheck = ContinuousClock.now
  private var openRequests = 0
  /// The resources whose requests wait until fewer are open.
  private var waiting: [Entry] = []
  /// Whether the resources are being read.
  private var isRunning = false
  private var clock = ServerClock()
  private var isClockKnown = false
  /// Why no states are received at present, of any resource.
  private var problem: NATSError? {
    didSet { if problem == nil { healthy = .now } }
  }
  /// Since when there is no problem, if there is none.
  private var healthy = ContinuousClock.now
  private var fatal: NATSError?
  /// Whether NATS refused a subscription, so that states may be published and not arrive.
  private var isRefused = false

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe client.loop.asUnownedSerialExecutor()
  }

  /// - Parameter report: called when a problem begins or ends.
  package init(
    _ client: RelayClient, _ names: [ResourceName], to output: any StateReceiver,
    report: @escaping @Sendable (ProblemLog.Report) -> Void
  ) {
    self.client = client
    self.output = output
    problems = ProblemLog(report: report)
    stream = JetStream(client)
    pollRequests = PollRequests(client)
    let now = ContinuousClock.now
    entries = Dictionary(
      names.map { (RelayNames.key($0), Entry($0, at: now)) }, uniquingKeysWith: { one, _ in one })
  }

  /// Reads until the task is canceled, or nobody reads the output.
  ///
  /// - Throws: ``NATSError`` if NATS refuses the reader for good.
  package func run() async throws(NATSError) {
    client.onEvent(of: self) { $0.take($1) }
    for entry in entries.values { try subscribe(entry) }
    isRunning = true
    repeat {
      if let fatal { throw fatal }
      if output.isClosed { return }
      if client.isConnected, nextLayoutCheck <= .now { await checkLayout() }
      problems.check(at: .now)
      proceed()
      if problem == nil, !isRefused { reportMissingStates() }
    } while await client.loop.sleep(until: .now + .milliseconds(200))
  }

  // MARK: Resources

  /// Reads another resource, too.
  func add(_ name: ResourceName) {
    let entry = Entry(name, at: .now)
    if let present = entries[entry.key] {
      // It has new followers, which need the last state.
      present.view = ResourceView(at: .now)
      return proceed(present)
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
      proceed(entry)
    } catch {
      fail(error)
      write(error, for: entry)
    }
  }

  /// No longer reads a resource. Its request ends by itself.
  func remove(_ name: ResourceName) {
    entries[RelayNames.key(name)] = nil
  }

  private func subscribe(_ entry: Entry) throws(NATSError) {
    try RelayNames.check(entry.name)
    entry.subscription = try client.subscribe(RelayNames.liveSubject(entry.name)) {
      [weak self, key = entry.key, loop = client.loop] message in
      guard let self else { return }
      loop.execute { self.assumeIsolated { $0.take(message, of: key) } }
    }
  }

  /// Follows the states into the streams of another layout.
  private func checkLayout() async {
    nextLayoutCheck = .now + ResourceView.renewal
    // A user with the permissions of the first version may not read it. The headers of live states have it, too.
    guard let (present, _) = try? await stream.layout() else { return }
    setLayout(present)
  }

  private func setLayout(_ layout: StreamLayout) {
    guard layout != self.layout else { return }
    self.layout = layout
    for entry in entries.values { entry.view.reconnected(at: .now) }
    proceed()
  }

  // MARK: Requests to NATS

  /// Sends the requests that are due, as many as may be open.
  private func proceed() {
    let now = ContinuousClock.now
    waiting = entries.values.filter { $0.view.isDue(at: now) }
    proceedWaiting()
  }

  private func proceedWaiting() {
    while openRequests < Self.mostRequests, let entry = waiting.popLast() { proceed(entry) }
  }

  private func proceed(_ entry: Entry) {
    guard client.isConnected, openRequests < Self.mostRequests,
      let command = entry.view.next(at: .now)
    else { return }
    openRequests += 1
    Task {
      switch command {
      case .read: await read(entry)
      case .request(let isUnanswered): await request(entry, isUnanswered: isUnanswered)
      }
      openRequests -= 1
      proceed(entry)
      proceedWaiting()
    }
  }

  private func read(_ entry: Entry) async {
    let layout = layout
    do throws(NATSError) {
      let last = try await stream.last(
        layout.subject(of: entry.name), in: layout.stream(of: entry.name))
      entry.view.readEnded(at: .now)
      recovered()
      guard let last else { return write(entry.view.take(last: nil, at: .now), for: entry) }
      let age = Duration.seconds(min(max(0, clock.seconds(at: .now) - last.time), 1e9))
      take(last.message.data, last.sequence, age: age, of: entry) { $0.take(last: $1, at: .now) }
    } catch {
      entry.view.readFailed(at: .now)
      if layout == self.layout { failed(error, entry) }
    }
  }

  private func request(_ entry: Entry, isUnanswered: Bool) async {
    do throws(NATSError) {
      let learned = try await pollRequests.keep(
        entry.name, for: Self.lease, every: ResourceView.renewal, isUnanswered: isUnanswered,
        clock, learnsClock: !isClockKnown)
      if let learned {
        clock = learned
        isClockKnown = true
      }
      entry.view.requestEnded(at: .now, random: Double.random(in: 0..<1))
      if entry.view.showsProblem { entry.view.readSoon(at: .now) }
      recovered()
    } catch {
      entry.view.requestFailed(at: .now)
      failed(error, entry)
    }
  }

  // MARK: States

  private func take(_ message: NATSMessage, of key: String) {
    guard let entry = entries[key],
      let sequence = message.headers["Nats-Sequence"].flatMap({ UInt64($0) })
    else { return }
    // Late messages of the old streams may follow those of the new ones. The number does not shrink.
    if let stream = message.headers["Nats-Stream"], stream != layout.stream(of: entry.name),
      let present = StreamLayout(stream: stream, of: entry.name.kind),
      present.partitions > layout.partitions
    {
      setLayout(present)
    }
    take(message.data, sequence, age: .zero, of: entry) { $0.take($1, at: .now) }
    // Another stream may have to be compared.
    proceed(entry)
  }

  /// Takes a state, unless it is none of the resource, or only an old error, which no worker repeats.
  private func take(
    _ bytes: [UInt8], _ sequence: UInt64, age: Duration, of entry: Entry,
    _ judge: (inout ResourceView, ResourceView.Received) -> ResourceView.Verdict
  ) {
    guard var state = try? ResourceState(serializedBytes: bytes),
      state.name == entry.name.description,
      state.resource != nil || !state.isOutdated(after: age)
    else { return }
    state.streamSequence = sequence
    state.relayError = nil
    guard let received = ResourceView.Received(state) else { return }
    write(judge(&entry.view, received), state, age: age, for: entry)
  }

  private func write(
    _ verdict: ResourceView.Verdict, _ state: ResourceState? = nil, age: Duration? = nil,
    for entry: Entry
  ) {
    switch verdict {
    case .show: if let state { output.write(state, age: age) }
    case .showError:
      if var state {
        state.resource = nil
        output.write(state, age: age)
      }
    case .endProblem: output.write(ResourceState(name: entry.name.description), age: nil)
    case .ignore: break
    }
  }

  // MARK: Problems

  private func take(_ event: NATSConnection.Event) {
    switch event {
    case .disconnected:
      fail(client.disconnection("the reader continues when NATS is reachable again"))
    case .reconnected:
      problem = nil
      problems.reconnected(at: .now)
      nextLayoutCheck = .now
      isRefused = false
      readAgain()
    case .closed(let error): fatal = error
    // See `checkLayout`.
    case .error(let error)
    where error.subject == JetStream(client).directSubject(of: StreamLayout.key, in: .pollRequests):
      break
    case .error(let error):
      isRefused = isRefused || error.isRefusedSubscription
      fail(error)
    }
  }

  /// NATS answers again, and may have lost messages and requests.
  private func recovered() {
    guard problem != nil else { return }
    problem = nil
    readAgain()
  }

  private func readAgain() {
    isClockKnown = false
    for entry in entries.values { entry.view.reconnected(at: .now) }
    proceed()
  }

  /// Reports a failure for its resource only: to read all of them again after each one would keep a busy NATS busy.
  private func failed(_ error: NATSError, _ entry: Entry) {
    guard error.kind != .disconnected else { return }
    problems.add(error)
    healthy = .now
    if !entry.view.isOver, !entry.view.showsProblem { write(error, for: entry) }
  }

  private func fail(_ error: NATSError) {
    problems.add(error)
    guard problem?.kind != error.kind else { return }
    problem = error
    for entry in entries.values where !entry.view.isOver { write(error, for: entry) }
  }

  /// Reports that no worker publishes a resource. A reader may not read the list of workers.
  private func reportMissingStates() {
    let now = ContinuousClock.now
    let missing = entries.values.filter { $0.view.isStateMissing(since: healthy, at: now) }
    func error(_ entry: Entry) -> NATSError {
      NATSError(.noState, "no worker publishes \(entry.name)", hint: RelayHint.noWorker)
    }
    // Again and again, because the problem ends when it is not repeated.
    if let first = missing.first { problems.add(error(first), total: missing.count, at: now) }
    for entry in missing where !entry.view.showsProblem { write(error(entry), for: entry) }
  }

  private func write(_ error: NATSError, for entry: Entry) {
    var state = ResourceState(name: entry.name.description)
    entry.view.problemShown()
    state.relayError = error.status
    output.write(state, age: nil)
  }
}

extension ResourceView.Received {
  /// Returns nil for a state without the time of its stream, which workers always set.
  init?(_ state: ResourceState) {
    guard let streamTime = state.streamTime else { return nil }
    self.init(
      streamTime: streamTime, number: state.streamSequence,
      term: ResourceView.Term(worker: state.worker, number: state.term), sequence: state.sequence,
      polledAfter: state.polledAfter, hasResource: state.resource != nil,
      hasError: state.error != nil, isFinal: state.isFinal)
  }
}

extension NATSError {
  /// The status of a reader that receives no states for this reason.
  fileprivate var status: RPCStatus {
    let code: StatusCode =
      switch kind {
      case .notPermitted: .permissionDenied
      case .notAuthorized: .unauthenticated
      default: .unavailable
      }
    return RPCStatus(code: Int32(code.rawValue), message: message)
  }
}
