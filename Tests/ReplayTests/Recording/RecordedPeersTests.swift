import TestSupport
import Testing
import WireGRPC

@testable import Recording
@testable import Replay
@testable import WireGRPCClient

/// A channel that repeats the calls of interop/recordings against a replay of them. The responses
/// must equal those of the recorded servers.
@Suite struct RecordedPeersTests {
  static let folder = repositoryPath("interop/recordings/")
  static let names = [
    "demo", "methods", "statuses", "streams", "trip", "canceled", "quota", "flapping",
  ]

  static func recording(_ name: String) throws -> RecordedCalls {
    try RecordedCalls([BinaryLogSource(opening: folder + name + ".binlog")])
  }

  @Test(arguments: names)
  func eachCallCanBeReplayed(name: String) throws {
    let recording = try Self.recording(name)
    #expect(recording.warnings.isEmpty)
    let index = ResponseIndex(recording.calls)
    #expect(index.omissions.isEmpty)
    #expect(index.count == recording.calls.count)
  }

  @Test(arguments: names)
  func eachCallIsReplayedAsRecorded(name: String) async throws {
    let recording = try Self.recording(name)
    let server = try ReplayServer(.recording(recording))
    let address = try await server.start()
    do {
      let channel = try Channel(
        target: "\(address)",
        configuration: ChannelConfiguration(security: .plaintext, proxy: .none))
      for call in recording.calls { try await expectSameCourse(call, on: channel) }
      await channel.close()
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }

  private func expectSameCourse(_ recorded: RecordedCall, on channel: Channel) async throws {
    let call = channel.open(
      path: recorded.method, kind: .bidirectional,
      options: CallOptions(
        timeout: .seconds(3600), metadata: recorded.requestMetadata, retryPolicy: .never))
    var requests = recorded.requests[...]
    var responses = recorded.responses[...]
    let place: Comment = "call \(recorded.id)"
    for event in recorded.events {
      switch event.kind {
      case .request: try await call.send(try #require(requests.popFirst()))
      case .halfClose: call.finish()
      case .headers: break
      case .response:
        #expect(try await call.next() == responses.popFirst(), place)
      case .cancel: call.cancel()
      case .ending: try await expect(try #require(recorded.ending), of: call, place)
      }
    }
    if let headers = recorded.headers { #expect(try await call.headers == headers, place) }
  }

  private func expect(
    _ ending: RecordedCall.Ending, of call: StreamingCall, _ place: Comment
  ) async throws {
    guard ending.code != .ok else {
      #expect(try await call.next() == nil, place)
      #expect(call.trailers?.withoutDetails == ending.trailers, place)
      return
    }
    let error = await #expect(throws: CallError.self, place) { try await call.next() }
    #expect(error?.code == ending.code, place)
    #expect(error?.message == ending.message, place)
    #expect(error?.origin == .server, place)
    #expect(error?.trailers.withoutDetails == ending.trailers, place)
    #expect(error?.trailers[binary: Self.details] ?? [] == ending.details, place)
  }

  fileprivate static let details = "grpc-status-details-bin"
}

extension Metadata {
  fileprivate var withoutDetails: Metadata {
    var rest = self
    rest.removeAll(named: RecordedPeersTests.details)
    return rest
  }
}
