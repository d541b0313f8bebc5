import WireGRPC
import WireGRPCClient
import WireProtobuf
import WireSystem

/// Measures the resources that many channels leave behind.
///
/// The channels are closed or dropped, used or unused, one after the other. Then a channel makes a call
/// without a free descriptor. Linux only, because it reads /proc.
struct Churn {
  static let flags = ["channels"]
  static let known = """
    --channels=COUNT             100 by default
    """

  let server: Flags

  func run() async throws -> String {
    // The first sleep opens a permanent descriptor, and the first channels fill the thread pool.
    for index in 0..<8 { try await useChannel(index) }
    let before = try await settled()
    for index in 0..<(try server.number("channels", default: 100)) { try await useChannel(index) }
    let after = try await settled(below: before)
    let (starved, fed) = try await starve()
    return try Struct(fields: [
      "before": before.value, "after": after.value,
      "starved": Value(kind: .stringValue(starved)), "fed": Value(kind: .stringValue(fed)),
    ]).jsonString()
  }

  private func useChannel(_ index: Int) async throws {
    let channel = try server.channel()
    let client = TestTestServiceClient(channel)
    switch index % 4 {
    case 0:
      _ = try await client.emptyCall(TestEmpty())
      await channel.close()
    case 1:
      _ = try await client.emptyCall(TestEmpty())
    case 2:
      // The stream is dropped halfway.
      let call = client.fullDuplexCall()
      let parameters = [TestResponseParameters(size: 1)]
      try await call.requests.send(TestStreamingOutputCallRequest(responseParameters: parameters))
      var responses = call.responses.makeAsyncIterator()
      _ = try await responses.next()
    default:
      // The channel never connects.
      break
    }
  }

  /// Returns the resources of the process when they are stable, waiting up to 10 s.
  private func settled(below limit: Resources? = nil) async throws -> Resources {
    var now = Resources.now
    for _ in 0..<100 {
      try await Task.sleep(for: .milliseconds(100))
      let next = Resources.now
      let isQuiet = next.descriptors == now.descriptors && next.threads == now.threads
      now = next
      if isQuiet, limit.map({ next.descriptors <= $0.descriptors }) ?? true { break }
    }
    return now
  }

  /// Makes a call without a free descriptor, and one afterwards; returns their outcomes.
  private func starve() async throws -> (starved: String, fed: String) {
    let channel = try server.channel()
    var taken: [Int32] = []
    while case let descriptor = dup(0), descriptor != -1 { taken.append(descriptor) }
    let starved = await outcome(channel)
    for descriptor in taken { close(descriptor) }
    // The channel connects again after a backoff of about a second.
    let fed = await outcome(channel, waitForReady: true)
    await channel.close()
    return (starved, fed)
  }

  private func outcome(_ channel: Channel, waitForReady: Bool = false) async -> String {
    do throws(CallError) {
      let options = CallOptions(timeout: .seconds(20), waitForReady: waitForReady)
      _ = try await TestTestServiceClient(channel).emptyCall(TestEmpty(), options: options)
      return "OK"
    } catch {
      return "\(error)"
    }
  }
}

private struct Resources {
  var descriptors = 0
  var threads = 0
  var kilobytes = 0

  static var now: Resources {
    Resources(
      descriptors: count("/proc/self/fd"), threads: count("/proc/self/task"),
      kilobytes: residentPages() * sysconf(Int32(_SC_PAGESIZE)) / 1024)
  }

  var value: Value {
    func number(_ value: Int) -> Value { Value(kind: .numberValue(Double(value))) }
    return Value(
      kind: .structValue(
        Struct(fields: [
          "descriptors": number(descriptors), "threads": number(threads),
          "kilobytes": number(kilobytes),
        ])))
  }

  private static func count(_ folder: String) -> Int {
    guard let list = opendir(folder) else { return 0 }
    defer { closedir(list) }
    var count = 0
    while readdir(list) != nil { count += 1 }
    return count
  }

  private static func residentPages() -> Int {
    let file = open("/proc/self/statm", O_RDONLY)
    guard file != -1 else { return 0 }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 128)
    let length = max(0, read(file, &bytes, bytes.count))
    let words = String(decoding: bytes[..<length], as: UTF8.self).split(separator: " ")
    return words.count > 1 ? Int(words[1]) ?? 0 : 0
  }
}
