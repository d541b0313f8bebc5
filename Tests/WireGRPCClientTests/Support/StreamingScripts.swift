import TestSupport
import WireGRPC
import WireGRPCClient
import WireHTTP2

/// Says SETTINGS on accept, acknowledges the client's, and asks `hear` about every frame of a stream.
func attentive(
  settings: RawFrame = .settings(),
  _ hear: @escaping @Sendable (_ connection: Int, _ frame: RawFrame) -> [ScriptedServer.Action]
) -> ScriptedServer.Script {
  { connection, event in
    switch event {
    case .accepted: return [.frames(settings)]
    case .frame(let frame) where frame.kind == .settings && !frame.has(.acknowledge):
      return [.frames(.settingsAcknowledgement)]
    case .frame(let frame) where frame.stream > 0: return hear(connection, frame)
    case .frame: return []
    }
  }
}

/// A message in its frame.
func framed(_ message: [UInt8]) -> [UInt8] {
  [0] + bigEndian(UInt32(message.count)) + message
}

/// A message in DATA frames of at most 16 KiB.
func dataFrames(_ stream: Int, _ bytes: [UInt8]) -> [UInt8] {
  stride(from: 0, to: bytes.count, by: 16_384).flatMap {
    RawFrame.data(stream, Array(bytes[$0..<min($0 + 16_384, bytes.count)])).bytes
  }
}

extension StreamingCall {
  /// All messages that are left, and the error after them.
  func rest() async -> (messages: [[UInt8]], error: CallError?) {
    var messages: [[UInt8]] = []
    do throws(CallError) {
      while let message = try await next() { messages.append(message) }
      return (messages, nil)
    } catch {
      return (messages, error)
    }
  }

  /// The error that a message meets.
  func sendError(_ message: [UInt8] = [1]) async -> CallError? {
    do throws(CallError) {
      try await send(message)
      return nil
    } catch {
      return error
    }
  }
}

extension Channel {
  /// A streaming call without the codec; with a message it is a server streaming one.
  func open(
    _ kind: MethodKind = .bidirectional, _ message: [UInt8]? = nil,
    timeout: Duration? = .seconds(3600), _ change: (inout CallOptions) -> Void = { _ in }
  ) -> StreamingCall {
    var options = CallOptions(timeout: timeout)
    change(&options)
    return open(path: "/s/m", kind: kind, message, options: options)
  }
}

extension ScriptedServer {
  /// The code of the RST_STREAM for stream 1.
  func reset(on connection: Int = 0) async -> HTTP2ErrorCode {
    let frame = await frame(.resetStream, on: connection) { $0.stream == 1 }
    return HTTP2ErrorCode(rawValue: frame.number())
  }

  /// Waits until this many bytes have come on a stream, not counting the headers of frames.
  func receive(_ count: Int, stream: Int = 1, on connection: Int = 0) async {
    var total = 0
    _ = await frame(.data, on: connection) { frame in
      if frame.stream == UInt32(stream) { total += frame.payload.count }
      return total >= count
    }
  }

  /// Waits until the client has given this much credit for a stream, or for the connection (0).
  func receiveCredit(_ count: Int, stream: Int) async {
    var total = 0
    _ = await frame(.windowUpdate) { frame in
      if frame.stream == UInt32(stream) { total += Int(frame.number()) }
      return total >= count
    }
  }

  /// Waits until this many frames of a kind have come.
  func receive(_ count: Int, _ kind: RawFrame.Kind) async {
    var total = 0
    _ = await frame(kind) { _ in
      total += 1
      return total == count
    }
  }

  /// What came on a stream, without frames.
  func body(_ stream: Int = 1, on connection: Int = 0) -> [UInt8] {
    heard(.data, on: connection).filter { $0.stream == UInt32(stream) }.flatMap(\.payload)
  }
}
