import Synchronization
import Testing
import WireGRPCClient

/// A type of a test in place of a generated client.
@Suite struct ClientProtocolTests {
  private typealias Tree = Tripwire_Forest_Tree

  @Test func unaryMethodIsReplaced() async throws {
    let forest: any Tripwire_Forest_ForestClientProtocol = StubForest()
    let tree = Tree(age: 3)
    #expect(try await forest.plant(tree).message == tree)
  }

  @Test func requestsArePassedToTheReplacement() async throws {
    let trees = [Tree(age: 1), Tree(age: 2)]
    var sent = 0
    let response = try await StubForest().count { writer in
      for tree in trees {
        try await writer.send(tree)
        sent += 1
      }
      writer.finish()
    }
    #expect(sent == 2)
    #expect(response.message.children == trees)
  }

  @Test func responsesAreThoseOfTheReplacement() async throws {
    let stream = StubForest().watch(Tree(age: 2))
    #expect(try await stream.headers["x-forest"] == "stub")
    #expect(stream.trailers?["x-end"] == "yes")
    for _ in 0..<2 {
      var ages: [Int32?] = []
      for try await tree in stream { ages.append(tree.age) }
      #expect(ages == [2, 3])
    }
  }

  @Test func failureFollowsTheMessages() async throws {
    let error = CallError(code: .unavailable, message: "fire", origin: .server)
    let stream = ResponseStream([Tree(age: 1)], failure: error)
    #expect(try await stream.headers.isEmpty)
    #expect(stream.trailers == nil)
    var iterator = stream.makeAsyncIterator()
    #expect(try await iterator.next()?.age == 1)
    let thrown = await #expect(throws: CallError.self) { try await iterator.next() }
    #expect(thrown?.message == "fire")
    #expect(try await iterator.next() == nil)
    await #expect(throws: CallError.self) {
      try await ResponseStream<Tree>([], failure: error).headers
    }
  }

  @Test func missingMethodsFail() async throws {
    struct Nothing: Tripwire_Forest_ForestClientProtocol {}
    func expectUnimplemented(_ method: String, _ call: () async throws -> Void) async {
      do {
        try await call()
        Issue.record("\(method) is implemented")
      } catch {
        let error = error as? CallError
        #expect(error?.code == .unimplemented)
        #expect(error?.origin == .local)
        #expect(error?.path == "/tripwire.forest.Forest/\(method)")
      }
    }
    let forest = Nothing()
    await expectUnimplemented("Plant") { _ = try await forest.plant(Tree()) }
    await expectUnimplemented("Count") { _ = try await forest.count { _ in } }
    await expectUnimplemented("Watch") { for try await _ in forest.watch(Tree()) {} }
    await expectUnimplemented("Talk") { try await forest.talk().requests.send(Tree()) }
    await expectUnimplemented("Talk") { for try await _ in forest.talk().responses {} }
  }
}

nonisolated private struct StubForest: Tripwire_Forest_ForestClientProtocol {
  func plant(
    _ request: Tripwire_Forest_Tree, options: CallOptions
  ) async throws(CallError) -> CallResponse<Tripwire_Forest_Tree> {
    CallResponse(message: request)
  }

  nonisolated(nonsending) func count(
    options: CallOptions,
    _ body: nonisolated(nonsending) (RequestWriter<Tripwire_Forest_Tree>) async throws -> Void
  ) async throws(CallError) -> CallResponse<Tripwire_Forest_Tree> {
    let received = Received()
    do {
      try await body(RequestWriter { tree in received.trees.withLock { $0.append(tree) } })
    } catch {
      throw CallError(code: .cancelled, message: "\(error)", origin: .local)
    }
    return CallResponse(
      message: Tripwire_Forest_Tree(children: received.trees.withLock { $0 }))
  }

  func watch(
    _ request: Tripwire_Forest_Tree, options: CallOptions
  ) -> ResponseStream<Tripwire_Forest_Tree> {
    let next = Tripwire_Forest_Tree(age: (request.age ?? 0) + 1)
    return ResponseStream(
      [request, next], headers: ["x-forest": "stub"], trailers: ["x-end": "yes"])
  }

  private final class Received: Sendable {
    let trees = Mutex<[Tripwire_Forest_Tree]>([])
  }
}
