import Testing
import WireGRPC
import WireGRPCClient
import WireProtobuf

// The settings of an app's target: main actor isolation by default and no upcoming features. That
// this file compiles is most of the test.

/// Generated code in a module with main actor isolation by default.
@Suite struct GeneratedCodeTests {
  private var planted: [String] = []

  /// A client of an address without a server.
  private func forest() throws -> Tripwire_Forest_ForestClient {
    Tripwire_Forest_ForestClient(
      try Channel(
        target: "unix:/nonexistent",
        configuration: ChannelConfiguration(security: .plaintext, failFast: true)))
  }

  @Test mutating func mainActorMayPassAnIsolatedBody() async throws {
    let forest = try forest()
    await #expect(throws: CallError.self) {
      try await forest.count { trees in
        MainActor.preconditionIsolated()
        planted.append("oak")
        try await trees.send(Tripwire_Forest_Tree())
      }
    }
    #expect(planted == ["oak"])
  }

  @Test func actorMayPassAnIsolatedBody() async throws {
    let ranger = Ranger(try forest())
    await ranger.count()
    #expect(await ranger.counted == 1)
  }

  @Test func otherKindsOfCallsCompile() async throws {
    let forest = try forest()
    await #expect(throws: CallError.self) { try await forest.plant(Tripwire_Forest_Tree()) }
    await #expect(throws: CallError.self) {
      for try await _ in forest.watch(Tripwire_Forest_Tree()) {}
    }
    let talk = forest.talk()
    await #expect(throws: CallError.self) {
      try await talk.requests.send(Tripwire_Forest_Tree())
      for try await _ in talk.responses {}
    }
  }

  @Test func messagesAreNotIsolated() async throws {
    let bytes = await Task.detached { Self.tree().serializedBytes() }.value
    #expect(try Tripwire_Forest_Tree(serializedBytes: bytes) == Self.tree())
  }

  nonisolated private static func tree() -> Tripwire_Forest_Tree {
    typealias Tree = Tripwire_Forest_Tree
    let leaf = Tree.Leaf(length: 1, width: 2, shape: .oval)
    var tree = Tree(
      parent: Tree(crown: .name("elm")), leaf: leaf, children: [Tree()], leaves: ["a": leaf],
      crown: .graft(Tree()), season: .fall, age: 3, rings: 4, default: Tree(parent: Tree()),
      place: Tree.Place(x: 5, y: 6))
    tree.parent?.parent = Tree(age: 7)
    tree.default?.parent?.age = 8
    tree.default?.clearParent()
    return tree
  }
}

private actor Ranger {
  private(set) var counted = 0
  private let forest: Tripwire_Forest_ForestClient

  init(_ forest: Tripwire_Forest_ForestClient) {
    self.forest = forest
  }

  func count() async {
    _ = try? await forest.count { trees in
      counted += 1
      try await trees.send(Tripwire_Forest_Tree())
    }
  }
}
