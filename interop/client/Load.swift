import Synchronization
import WireGRPC

/// Many unary calls at an even pace, however long each takes.
///
/// Each carries a nonce of its own, which the server notes down and sends back.
struct Load: Sendable {
  static let flags = ["calls", "interval_us", "timeout_ms", "size", "wait_for_ready", "name"]
  static let known = """
    --calls=COUNT                1 by default
    --interval_us=TIME           from the beginning of one to that of the next, 10000 by default
    --timeout_ms=TIME            of each call, 5000 by default
    --size=BYTES                 of each request and response, 100 by default
    --wait_for_ready
    --name=TEXT                  what the nonces begin with
    """
  static let nonce = "x-nonce"

  private let channel: Channel
  private let connections = Counter()
  private let calls: Int
  private let interval: Duration
  private let options: CallOptions
  private let size: Int
  private let name: String

  init(_ flags: Flags) throws {
    calls = try flags.number("calls", default: 1)
    interval = .microseconds(try flags.number("interval_us", default: 10_000))
    options = CallOptions(
      timeout: .milliseconds(try flags.number("timeout_ms", default: 5_000)),
      maxReceiveMessageSize: .max, waitForReady: flags.isSet("wait_for_ready"))
    size = try flags.number("size", default: 100)
    name = flags.text("name") ?? "call"
    let connections = connections
    channel = try flags.channel { event in
      if case .ready = event.step { connections.add() }
    }
  }

  func run() async -> LoadReport {
    let start = ContinuousClock.now
    var report = await withTaskGroup(of: LoadReport.Call.self) { group in
      var report = LoadReport()
      for index in 0..<calls {
        try? await Task.sleep(until: start + interval * index, clock: .continuous)
        group.addTask { await call(index) }
      }
      for await call in group { report.add(call) }
      return report
    }
    await channel.close()
    report.seconds = seconds(.now - start)
    report.connections = connections.value
    return report
  }

  private func call(_ index: Int) async -> LoadReport.Call {
    let start = ContinuousClock.now
    let nonce = "\(name)-\(index)"
    do {
      var options = options
      try options.metadata.append(Self.nonce, nonce)
      let request = TestSimpleRequest(
        responseSize: Int32(size), payload: TestPayload(body: [UInt8](repeating: 0, count: size)))
      let response = try await TestTestServiceClient(channel).unaryCall(request, options: options)
      let isOurs =
        response.message.username == nonce
        && response.message.payload?.body.count ?? 0 == size
      return call(start, .ok, attempts: response.attempts, isOurs: isOurs)
    } catch let error as CallError {
      return call(start, error.code, attempts: error.attempts, error: "\(error)")
    } catch {
      return call(start, .internal, attempts: 0, error: "\(error)")
    }
  }

  private func call(
    _ start: ContinuousClock.Instant, _ code: StatusCode, attempts: Int, isOurs: Bool = true,
    error: String? = nil
  ) -> LoadReport.Call {
    let duration = ContinuousClock.now - start
    let limit = (options.timeout ?? .zero) + LoadReport.grace
    return LoadReport.Call(
      code: code, seconds: seconds(duration), isLate: duration > limit, isOurs: isOurs,
      attempts: attempts, error: error)
  }
}

func seconds(_ duration: Duration) -> Double { duration / .seconds(1) }

final class Counter: Sendable {
  private let count = Atomic(0)

  var value: Int { count.load(ordering: .relaxed) }

  func add() { count.add(1, ordering: .relaxed) }
}
