import Testing

@testable import WireIO

@Suite(.timeLimit(.minutes(20))) struct ResolverTests {
  @Test func numericHostsNeedNoLookup() async throws {
    let expected = try #require(SocketAddress(numericHost: "::1", port: 7))
    #expect(try await Resolver.resolve(host: "::1", port: 7) == [expected])
  }

  /// Even if /etc/hosts lacks the name: no machine has an entry for the second one.
  @Test(arguments: ["localhost", "demo.localhost", "LOCALHOST"])
  func localhostIsTheLoopback(host: String) async throws {
    let found = try await Resolver.resolve(host: host, port: 50051)
    #expect(found.map(\.description) == ["127.0.0.1:50051", "[::1]:50051"])
  }

  @Test func errorNamesTheUnknownHost() async {
    // RFC 6761: .invalid never exists, so no name server is asked.
    let host = "fleet.invalid"
    let error = await #expect(throws: ResolverError.self) {
      try await Resolver.resolve(host: host, port: 443)
    }
    #expect(error?.host == host)
    #expect(error?.kind == .notFound || error?.kind == .temporary)
    #expect(error?.description.hasPrefix("cannot resolve fleet.invalid: ") == true)
    #expect(error?.reason != "")
  }

  @Test(arguments: ["", "a\0b", "not a name", String(repeating: "x", count: 300)])
  func invalidNamesAreRejected(host: String) async {
    await #expect(throws: ResolverError.self) {
      try await Resolver.resolve(host: host, port: 443)
    }
  }

  @Test func canceledTaskDoesNotWait() async {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await Resolver.resolve(host: "fleet.invalid", port: 1)
    }
    let error = await #expect(throws: ResolverError.self) { try await task.value }
    #expect(error?.kind == .canceled)
  }
}

@Suite struct ResolverAnswerTests {
  let failure = ResolverError(kind: .canceled, host: "h", reason: "canceled")

  @Test func firstAnswerCounts() async throws {
    let address = try #require(SocketAddress(numericHost: "127.0.0.1", port: 1))
    let answer = Resolver.Answer()
    answer.deliver(.success([address]))
    answer.deliver(.failure(failure))
    #expect(await withCheckedContinuation { answer.wait($0) } == .success([address]))
    answer.deliver(.failure(failure))
  }

  @Test func answerAfterCancellationIsDropped() async throws {
    let answer = Resolver.Answer()
    let result = await withCheckedContinuation { waiter in
      answer.wait(waiter)
      answer.deliver(.failure(failure))
      answer.deliver(.success([]))
    }
    #expect(result == .failure(failure))
  }
}
