import Synchronization
import TestSupport
import Testing
import WireHTTP2

@testable import WireGRPC
@testable import WireGRPCClient

/// Request streams, and how they can end.
@Suite(.timeLimit(.minutes(20))) struct ClientStreamingTests {
  private let method = MethodDescriptor<RPCStatus, RPCStatus>(
    service: "test.Service", method: "Record", kind: .clientStreaming)
  private let chat = MethodDescriptor<RPCStatus, RPCStatus>(
    service: "test.Service", method: "Talk", kind: .bidirectional)

  private func status(_ code: Int32) -> RPCStatus {
    RPCStatus(code: code)
  }

  // MARK: Client streaming

  @Test func sendsMessagesAndReturnsTheResponse() async throws {
    let server = try await ScriptedServer.start(
      requestScript { _, stream in [okResponse(stream, [8, 5])] })
    let channel = try Channel(to: server)
    let response = try await channel.clientStreaming(method) { writer in
      for code in 1...3 { try await writer.send(status(Int32(code))) }
    }
    #expect(response.message.code == 5)
    #expect(response.attempts == 1)
    #expect(await server.body() == framed([8, 1]) + framed([8, 2]) + framed([8, 3]))
    #expect(await server.received(.data, on: 0).map { $0.has(.endStream) }.last == true)
    await channel.close()
    #expect(await server.received(.resetStream, on: 0).isEmpty)
    await server.stop()
  }

  @Test func sendsMessagesAtOnce() async throws {
    let server = try await ScriptedServer.start(frameScript { _, _ in [] })
    let channel = try Channel(to: server)
    let call = channel.open(.clientStreaming)
    _ = await server.frame(.headers)
    #expect(await server.received(.data, on: 0).isEmpty)
    try await call.send([1])
    #expect(await server.frame(.data).payload == framed([1]))
    try await call.send([2])
    #expect(await server.frame(.data) { $0.payload != framed([1]) }.payload == framed([2]))
    call.finish()
    let end = await server.frame(.data) { $0.has(.endStream) }
    #expect(end.payload.isEmpty)
    #expect(await call.sendError()?.message == "a message was sent after finish()")
    await server.act(0, okResponse(1))
    #expect(await call.rest().messages == [[7, 8]])
    await server.stop()
  }

  @Test func endsAnEmptyRequestWithAnEmptyFrame() async throws {
    let server = try await ScriptedServer.start(
      requestScript { _, stream in [okResponse(stream, [])] })
    let channel = try Channel(to: server)
    let response = try await channel.clientStreaming(method) { _ in }
    #expect(response.message.code == 0)
    #expect(!(await server.frame(.headers).has(.endStream)))
    let data = await server.frame(.data)
    #expect(data.has(.endStream) && data.payload.isEmpty)
    await server.stop()
  }

  @Test(arguments: [[], framed([8, 1]) + framed([8, 2])])
  func failsUnlessThereIsExactlyOneMessage(_ body: [UInt8]) async throws {
    let server = try await ScriptedServer.start(
      requestScript { _, stream in
        [
          .frames(
            .headers(stream, okHeaders), .data(stream, body),
            .headers(stream, okTrailers, endStream: true))
        ]
      })
    let channel = try Channel(to: server)
    let error = await #expect(throws: CallError.self) {
      try await channel.clientStreaming(method) { _ in }
    }
    #expect(error?.code == .unimplemented)
    #expect(error?.path == "/test.Service/Record")
    await server.stop()
  }

  @Test func errorReplacesAnEarlierMessage() async throws {
    let server = try await ScriptedServer.start(
      requestScript { _, stream in
        [
          .frames(
            .headers(stream, okHeaders), .data(stream, framed([8, 1])),
            .headers(stream, fields(["grpc-status": "10"]), endStream: true))
        ]
      })
    let channel = try Channel(to: server)
    let error = await #expect(throws: CallError.self) {
      try await channel.clientStreaming(method) { _ in }
    }
    #expect(error?.code == .aborted)
    await server.stop()
  }

  @Test func callErrorOfTheBodyCancelsTheCall() async throws {
    let server = try await ScriptedServer.start(frameScript { _, _ in [] })
    let channel = try Channel(to: server)
    let thrown = CallError(code: .outOfRange, message: "mine", origin: .local)
    let error = await #expect(throws: CallError.self) {
      try await channel.clientStreaming(method) { writer in
        try await writer.send(status(1))
        _ = await server.frame(.data)
        throw thrown
      }
    }
    #expect(error == thrown)
    #expect(await server.reset() == .cancel)
    await server.stop()
  }

  @Test func canceledBodyDoesNotFinishTheRequest() async throws {
    let server = try await ScriptedServer.start(frameScript { _, _ in [] })
    let channel = try Channel(to: server)
    // Repeated, because the error needs both threads to act at the same time.
    for _ in 0..<2_000 {
      let call = Task { [method] in
        try await channel.clientStreaming(method) { _ in
          withUnsafeCurrentTask { unsafe $0?.cancel() }
        }
      }
      let error = await #expect(throws: CallError.self) { try await call.value }
      #expect(error?.code == .cancelled)
    }
    await channel.close()
    #expect(await server.received(.data, on: 0).isEmpty)
    await server.stop()
  }

  @Test func otherErrorOfTheBodyCancelsTheCall() async throws {
    struct TestError: Error {}
    let server = try await ScriptedServer.start(frameScript { _, _ in [] })
    let channel = try Channel(to: server)
    let error = await #expect(throws: CallError.self) {
      try await channel.clientStreaming(method) { _ in
        _ = await server.frame(.headers)
        throw TestError()
      }
    }
    #expect(error?.code == .cancelled)
    #expect(error?.message == "canceled: TestError()")
    #expect(error?.underlyingError is TestError)
    #expect(error?.kind == .client)
    #expect(error?.attempts == 1)
    #expect(error?.peer == server.target)
    #expect(await server.reset() == .cancel)
    await server.stop()
  }

  // MARK: The server ends the call first

  @Test func earlyStatusStopsTheSender() async throws {
    let server = try await ScriptedServer.start(
      frameScript { _, frame in
        guard frame.kind == .headers else { return [] }
        let trailers = okHeaders + fields(["grpc-status": "9", "grpc-message": "no more"])
        return [.frames(.headers(1, trailers, endStream: true))]
      })
    let channel = try Channel(to: server)
    let error = await #expect(throws: CallError.self) {
      try await channel.clientStreaming(method) { writer in
        while true { try await writer.send(status(1)) }
      }
    }
    #expect(error?.code == .failedPrecondition)
    #expect(error?.message == "no more")
    #expect(error?.path == "/test.Service/Record")
    #expect(await server.reset() == .noError)
    await server.stop()
  }

  @Test func returnsAnEarlyResponse() async throws {
    let server = try await ScriptedServer.start(
      frameScript { _, frame in frame.kind == .headers ? [okResponse(1, [8, 5])] : [] })
    let channel = try Channel(to: server)
    let response = try await channel.clientStreaming(method) { writer in
      while true { try await writer.send(status(1)) }
    }
    #expect(response.message.code == 5)
    #expect(await server.reset() == .noError)
    await server.stop()
  }

  @Test func refusesMessagesAfterTheServersEnd() async throws {
    let server = try await ScriptedServer.start(
      frameScript { _, frame in frame.kind == .headers ? [okResponse(1)] : [] })
    let channel = try Channel(to: server)
    let call = channel.open()
    #expect(await call.rest().messages == [[7, 8]])
    let error = await call.sendError()
    #expect(error?.code == .cancelled)
    #expect(error?.message.contains("with OK") == true)
    await server.stop()
  }

  // MARK: Bidirectional

  @Test func alternatesRequestsAndResponses() async throws {
    let server = try await ScriptedServer.start(
      frameScript { _, frame in
        switch frame.kind {
        case .headers: [.frames(.headers(1, okHeaders))]
        case .data where frame.has(.endStream):
          [.frames(.headers(1, okTrailers, endStream: true))]
        case .data: [.frames(.data(1, frame.payload))]
        default: []
        }
      })
    let channel = try Channel(to: server)
    let call = channel.bidirectional(chat)
    var responses = call.responses.makeAsyncIterator()
    for code in [1, 2, 3] as [Int32] {
      try await call.requests.send(status(code))
      #expect(try await responses.next()?.code == code)
    }
    call.requests.finish()
    #expect(try await responses.next() == nil)
    #expect(try await responses.next() == nil)
    await channel.close()
    #expect(await server.received(.resetStream, on: 0).isEmpty)
    await server.stop()
  }

  @Test func releasingTheCallCancelsIt() async throws {
    let server = try await ScriptedServer.start(frameScript { _, _ in [] })
    let channel = try Channel(to: server)
    do {
      let call = channel.bidirectional(chat)
      try await call.requests.send(status(1))
      _ = await server.frame(.data)
    }
    #expect(await server.reset() == .cancel)
    await server.stop()
  }

  @Test func canceledSenderCancelsTheCall() async throws {
    let server = try await ScriptedServer.start(frameScript { _, _ in [] })
    let channel = try Channel(to: server)
    let call = channel.open()
    try await call.send([1])
    _ = await server.frame(.data)
    let sender = Task {
      while !Task.isCancelled { await Task.yield() }
      return await call.sendError()
    }
    sender.cancel()
    #expect(await sender.value?.code == .cancelled)
    #expect(await call.rest().error?.code == .cancelled)
    #expect(await server.reset() == .cancel)
    await server.stop()
  }

  @Test func deadlineEndsBothDirections() async throws {
    try await withGrowingTimeout { timeout in
      let server = try await ScriptedServer.start(
        frameScript { _, frame in
          frame.kind == .headers ? [.frames(.headers(Int(frame.stream), okHeaders))] : []
        })
      let channel = try Channel(to: server)
      let call = channel.open(timeout: timeout)
      let isInTime = try await call.headersAreInTime()
      #expect(await call.rest().error?.code == .deadlineExceeded)
      #expect(await call.sendError()?.code == .deadlineExceeded)
      if isInTime { #expect(await server.reset() == .cancel) }
      await server.stop()
      return isInTime
    }
  }

  @Test func lostConnectionEndsBothDirections() async throws {
    let server = try await ScriptedServer.start(
      frameScript { _, frame in frame.kind == .data ? [.close] : [] })
    let channel = try Channel(to: server)
    let call = channel.open()
    try await call.send([1])
    #expect(await call.rest().error?.code == .unavailable)
    #expect(await call.sendError()?.code == .unavailable)
    await server.stop()
  }

  @Test func callContinuesAfterAMessageAboveTheLimit() async throws {
    let server = try await ScriptedServer.start(requestScript { _, stream in [okResponse(stream)] })
    let channel = try Channel(to: server)
    let call = channel.open { $0.maxSendMessageSize = 2 }
    _ = await server.frame(.headers)
    let error = await call.sendError([1, 2, 3])
    #expect(error?.code == .resourceExhausted)
    #expect(error?.attempts == 1)
    #expect(error?.peer == server.target)
    try await call.send([1, 2])
    call.finish()
    #expect(await call.rest().messages == [[7, 8]])
    #expect(await server.body() == framed([1, 2]))
    await server.stop()
  }

  @Test func tracesEachMessage() async throws {
    let recorder = TraceRecorder()
    let server = try await ScriptedServer.start(
      requestScript { _, stream in
        [
          .frames(
            .headers(stream, okHeaders), .data(stream, framed([1]) + framed([2, 3])),
            .headers(stream, okTrailers, endStream: true))
        ]
      })
    let channel = try Channel(to: server) { $0.trace = recorder.record }
    let call = channel.open()
    try await call.send([1])
    try await call.send([1, 2])
    call.finish()
    _ = await call.rest()
    await channel.close()
    let sizes = recorder.events.compactMap { event -> Int? in
      switch event.step {
      case .requestMessage(let bytes): bytes
      case .responseMessage(let bytes, let decompressed?) where bytes == decompressed: -bytes
      default: nil
      }
    }
    #expect(sizes == [1, 2, -1, -2])
    await server.stop()
  }
}
