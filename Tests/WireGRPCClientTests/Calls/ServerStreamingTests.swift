import TestSupport
import Testing
import WireHTTP2

@testable import WireGRPC
@testable import WireGRPCClient

/// Response streams, and how reading can end.
@Suite(.timeLimit(.minutes(20))) struct ServerStreamingTests {
  /// Returns a server that responds to a complete request with these frames.
  private func server(_ frames: RawFrame...) async throws -> (ScriptedServer, Channel) {
    let server = try await ScriptedServer.start(
      requestScript { _, _ in [.send(frames.flatMap(\.bytes))] })
    return (server, try Channel(to: server))
  }

  private let headers = RawFrame.headers(1, okHeaders + fields(["x-a": "1"]))
  private let trailers = RawFrame.headers(
    1, fields(["grpc-status": "0", "x-b": "2"]), endStream: true)

  @Test func returnsMessagesInOrder() async throws {
    let (server, channel) = try await server(
      headers, .data(1, framed([1]) + framed([])), .data(1, framed([2, 3])), trailers)
    let call = channel.open(.serverStreaming, [7, 8])
    #expect(try await call.headers == ["x-a": "1"])
    #expect(try await call.next() == [1])
    #expect(try await call.next() == [])
    #expect(try await call.next() == [2, 3])
    #expect(try await call.next() == nil)
    #expect(try await call.next() == nil)
    #expect(call.trailers == ["x-b": "2"])
    #expect(call.attempts == 1)
    let data = await server.frame(.data)
    #expect(data.payload == framed([7, 8]))
    #expect(data.has(.endStream))
    await channel.close()
    #expect(await server.received(.resetStream, on: 0).isEmpty)
    await server.stop()
  }

  @Test func returnsMessagesBeforeTheEnd() async throws {
    let (server, channel) = try await server(headers, .data(1, framed([1])))
    let call = channel.open(.serverStreaming, [])
    #expect(try await call.next() == [1])
    #expect(call.trailers == nil)
    await server.act(0, .frames(.data(1, framed([2])), trailers))
    #expect(await call.rest().messages == [[2]])
    await server.stop()
  }

  @Test func throwsAnErrorAfterTheMessagesBeforeIt() async throws {
    let (server, channel) = try await server(
      headers, .data(1, framed([1]) + framed([2])),
      .headers(1, fields(["grpc-status": "8", "grpc-message": "enough"]), endStream: true))
    let call = channel.open(.serverStreaming, [])
    let (messages, error) = await call.rest()
    #expect(messages == [[1], [2]])
    #expect(error?.code == .resourceExhausted)
    #expect(error?.message == "enough")
    #expect(error?.path == "/s/m")
    #expect(error?.attempts == 1)
    #expect(error?.peer == server.target)
    #expect(call.trailers == nil)
    await server.stop()
  }

  @Test func acceptsATrailersOnlyResponse() async throws {
    let (server, channel) = try await server(
      .headers(1, okHeaders + fields(["grpc-status": "0", "x-b": "2"]), endStream: true))
    let call = channel.open(.serverStreaming, [])
    #expect(try await call.next() == nil)
    #expect(try await call.headers.isEmpty)
    #expect(call.trailers == ["x-b": "2"])
    await server.stop()
  }

  @Test func reportsAResponseThatIsNotGRPC() async throws {
    let (server, channel) = try await server(
      .headers(1, fields([":status": "503", "content-type": "text/html"])),
      .data(1, Array("<h1>down".utf8), endStream: true))
    let call = channel.open(.serverStreaming, [])
    let error = await #expect(throws: CallError.self) { try await call.headers }
    #expect(error?.code == .unavailable)
    #expect(await call.rest().error == error)
    await server.stop()
  }

  @Test func lostConnectionEndsTheStream() async throws {
    let (server, channel) = try await server(headers, .data(1, framed([1])))
    let call = channel.open(.serverStreaming, [])
    #expect(try await call.next() == [1])
    await server.act(0, .frames(.data(1, framed([2]))), .close)
    let (messages, error) = await call.rest()
    #expect(messages == [[2]])
    #expect(error?.code == .unavailable)
    await server.stop()
  }

  // MARK: Typed

  private let method = MethodDescriptor<RPCStatus, RPCStatus>(
    service: "test.Service", method: "Watch", kind: .serverStreaming)

  @Test func decodesMessages() async throws {
    let (server, channel) = try await server(
      headers, .data(1, framed([8, 5]) + framed([8, 6])), trailers)
    let stream = channel.serverStreaming(method, RPCStatus())
    var codes: [Int32] = []
    for try await status in stream { codes.append(status.code) }
    #expect(codes == [5, 6])
    #expect(stream.trailers == ["x-b": "2"])
    await server.stop()
  }

  @Test func undecodableMessageEndsTheCall() async throws {
    let (server, channel) = try await server(headers, .data(1, framed([0x12, 200])))
    var iterator = channel.serverStreaming(method, RPCStatus()).makeAsyncIterator()
    do throws(CallError) {
      _ = try await iterator.next()
      Issue.record("it decoded")
    } catch {
      #expect(error.code == .internal)
      #expect(error.path == "/test.Service/Watch")
      #expect(error.attempts == 1)
    }
    #expect(await server.reset() == .cancel)
    await server.stop()
  }

  @Test func iteratorReturnsNilAfterAnError() async throws {
    let (server, channel) = try await server(
      headers, .data(1, framed([8, 5])),
      .headers(1, fields(["grpc-status": "8"]), endStream: true))
    let stream = channel.serverStreaming(method, RPCStatus())
    var iterator = stream.makeAsyncIterator()
    #expect(try await iterator.next()?.code == 5)
    let error = await #expect(throws: CallError.self) { try await iterator.next() }
    #expect(error?.code == .resourceExhausted)
    #expect(try await iterator.next() == nil)
    #expect(try await iterator.next(isolation: nil) == nil)
    // A second loop receives the error too.
    let again = await #expect(throws: CallError.self) { for try await _ in stream {} }
    #expect(again == error)
    await server.stop()
  }

  @Test func iteratorReturnsNilAfterAnUndecodableMessage() async throws {
    let (server, channel) = try await server(
      headers, .data(1, framed([0x12, 200]) + framed([8, 5])))
    var iterator = channel.serverStreaming(method, RPCStatus()).makeAsyncIterator()
    let error = await #expect(throws: CallError.self) { try await iterator.next() }
    #expect(error?.code == .internal)
    #expect(try await iterator.next() == nil)
    await server.stop()
  }

  @Test func leavingTheLoopCancelsTheCall() async throws {
    let (server, channel) = try await server(headers, .data(1, framed([8, 5]) + framed([8, 6])))
    let stream = channel.serverStreaming(method, RPCStatus())
    for try await status in stream {
      #expect(status.code == 5)
      break
    }
    #expect(await server.reset() == .cancel)
    // The end of the stream did not do this.
    #expect(stream.trailers == nil)
    await server.stop()
  }

  @Test func releasingAnUnreadStreamCancelsTheCall() async throws {
    let (server, channel) = try await server(headers)
    do {
      let stream = channel.serverStreaming(method, RPCStatus())
      _ = await server.frame(.data)
      _ = stream
    }
    #expect(await server.reset() == .cancel)
    await channel.close()
    await server.stop()
  }

  @Test func refusesMethodsOfAnotherKind() async throws {
    let channel = try Channel(target: "localhost:1")
    let error = await #expect(throws: CallError.self) {
      try await channel.unary(method, RPCStatus())
    }
    #expect(error?.code == .unimplemented)
    #expect(error?.message.contains("Channel.serverStreaming") == true)
    #expect(error?.path == "/test.Service/Watch")
    let call = channel.bidirectional(method)
    let other = await #expect(throws: CallError.self) { try await call.requests.send(RPCStatus()) }
    #expect(other?.code == .unimplemented)
  }

  // MARK: Cancellation and deadlines

  @Test func cancelingTheReaderCancelsTheCall() async throws {
    let (server, channel) = try await server(headers, .data(1, framed([1])))
    let call = channel.open(.serverStreaming, [])
    #expect(try await call.next() == [1])
    let reader = Task { await call.rest() }
    reader.cancel()
    let (messages, error) = await reader.value
    #expect(messages.isEmpty)
    #expect(error?.code == .cancelled)
    #expect(error?.peer == server.target)
    #expect(await server.reset() == .cancel)
    await server.stop()
  }

  @Test func canceledReaderReceivesNoMoreMessages() async throws {
    let (server, channel) = try await server(headers, .data(1, framed([1]) + framed([2])))
    let call = channel.open(.serverStreaming, [])
    #expect(try await call.next() == [1])
    let reader = Task {
      while !Task.isCancelled { await Task.yield() }
      return await call.rest()
    }
    reader.cancel()
    let (messages, error) = await reader.value
    #expect(messages.isEmpty)
    #expect(error?.code == .cancelled)
    await server.stop()
  }

  @Test func deadlineAppliesToTheWholeCall() async throws {
    try await withGrowingTimeout { timeout in
      let (server, channel) = try await server(headers, .data(1, framed([1]) + framed([2])))
      let call = channel.open(.serverStreaming, [], timeout: timeout)
      let isInTime = try await call.headersAreInTime()
      if isInTime {
        #expect(await server.reset() == .cancel)
        // The messages have arrived, but too late.
        let (messages, error) = await call.rest()
        #expect(messages.isEmpty)
        #expect(error?.code == .deadlineExceeded)
      }
      await server.stop()
      return isInTime
    }
  }

  @Test func doesNotSendACallWithoutTime() async throws {
    let (server, channel) = try await server()
    let error = await channel.open(.serverStreaming, [], timeout: .zero).rest().error
    #expect(error?.code == .deadlineExceeded)
    #expect(error?.attempts == 0)
    #expect(await server.connections == 0)
    await server.stop()
  }

  // MARK: Limits

  @Test func throwsAfterEarlierMessagesOnALengthAboveTheLimit() async throws {
    let (server, channel) = try await server(headers, .data(1, framed([1]) + [0, 0, 0, 1, 0]))
    let call = channel.open(.serverStreaming, []) { $0.maxReceiveMessageSize = 255 }
    let (messages, error) = await call.rest()
    #expect(messages == [[1]])
    #expect(error?.code == .resourceExhausted)
    #expect(await server.reset() == .cancel)
    await server.stop()
  }

  @Test func doesNotSendARequestAboveTheLimit() async throws {
    let (server, channel) = try await server()
    let call = channel.open(.serverStreaming, [1, 2, 3]) { $0.maxSendMessageSize = 2 }
    let error = await call.rest().error
    #expect(error?.code == .resourceExhausted)
    #expect(error?.message == "the request is 3 bytes; the limit is 2 bytes")
    let unary = await channel.call([1, 2, 3]) { $0.maxSendMessageSize = 2 }
    #expect(unary.error?.code == .resourceExhausted)
    #expect(await server.connections == 0)
    await server.stop()
  }

  @Test func decompressesMessagesWhenTheyAreRead() async throws {
    let gzip = hex("1f8b0800000000000203cb48cdc9c957c84027b9000088590b18000000")
    let (server, channel) = try await server(
      .headers(1, okHeaders + fields(["grpc-encoding": "gzip"])),
      .data(1, [1] + bigEndian(UInt32(gzip.count)) + gzip + framed([5]) + [1, 0, 0, 0, 1, 9]))
    let call = channel.open(.serverStreaming, [])
    #expect(try await call.next() == Array("hello hello hello hello\n".utf8))
    #expect(try await call.next() == [5])
    let error = await call.rest().error
    #expect(error?.code == .internal)
    #expect(error?.message.contains("cannot be decompressed") == true)
    #expect(await server.reset() == .cancel)
    await server.stop()
  }

  @Test func refusesInvalidMetadata() async throws {
    let channel = try Channel(target: "localhost:1")
    let call = channel.open(.serverStreaming, []) { $0.metadata = ["te": "trailers"] }
    #expect(await call.rest().error?.code == .internal)
  }

  // MARK: The channel

  @Test func callRetainsItsChannel() async throws {
    let server = try await ScriptedServer.start(requestScript { _, _ in [] })
    var channel: Channel? = try Channel(to: server)
    let call = try #require(channel).open(.serverStreaming, [])
    channel = nil
    _ = await server.frame(.data)
    await server.act(0, okResponse(1))
    #expect(await call.rest().messages == [[7, 8]])
    await server.stop()
  }

  @Test func releasesTheCallAndItsChannel() async throws {
    let server = try await ScriptedServer.start(
      requestScript { _, _ in [.frames(.headers(1, okHeaders))] })
    weak var releasedChannel: Channel?
    weak var releasedCall: StreamingCall?
    do {
      let channel = try Channel(to: server)
      let call = channel.open(.serverStreaming, [])
      (releasedChannel, releasedCall) = (channel, call)
      _ = try await call.headers
    }
    #expect(releasedCall == nil)
    #expect(releasedChannel == nil)
    await server.end(of: 0)
    #expect(await server.received(.resetStream, on: 0).map { $0.number() } == [8])
    await server.stop()
  }

  @Test func closeWaitsForStreams() async throws {
    let server = try await ScriptedServer.start(
      requestScript { [headers] _, stream in
        stream == 1 ? [.frames(headers, .data(1, framed([1])))] : [okResponse(stream)]
      })
    let channel = try Channel(to: server)
    let call = channel.open(.serverStreaming, [])
    #expect(try await call.next() == [1])
    async let closed: Void = channel.close()
    while await channel.call().error?.message.contains("closed") != true {}
    await server.act(0, .frames(.data(1, framed([2])), trailers))
    #expect(await call.rest().messages == [[2]])
    await closed
    await server.stop()
  }

  @Test func closedChannelRejectsCalls() async throws {
    let channel = try Channel(target: "localhost:1")
    await channel.close()
    let call = channel.open(.serverStreaming, [])
    #expect(await call.rest().error?.code == .unavailable)
    #expect(await channel.open().sendError()?.code == .unavailable)
  }
}
