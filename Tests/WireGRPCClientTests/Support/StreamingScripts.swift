import TestSupport
import WireHTTP2

@testable import WireGRPC
@testable import WireGRPCClient

/// Returns a script that sends SETTINGS, acknowledges the client's, and reacts to each frame of a
/// stream with what `respond` returns.
func frameScript(
  settings: RawFrame = .settings(),
  _ respond: @escaping @Sendable (_ connection: Int, _ frame: RawFrame) -> [ScriptedServer.Action]
) -> ScriptedServer.Script {
  { connection, event in
    switch event {
    case .accepted: return [.frames(settings)]
    case .frame(let frame) where frame.kind == .settings && !frame.has(.acknowledge):
      return [.frames(.settingsAcknowledgement)]
    case .frame(let frame) where frame.stream > 0: return respond(connection, frame)
    case .frame: return []
    }
  }
}

/// Returns a message with its prefix.
func framed(_ message: [UInt8]) -> [UInt8] {
  [0] + bigEndian(UInt32(message.count)) + message
}

/// Returns bytes in DATA frames of at most 16 KiB.
func dataFrames(_ stream: Int, _ bytes: [UInt8]) -> [UInt8] {
  stride(from: 0, to: bytes.count, by: 16_384).flatMap {
    RawFrame.data(stream, Array(bytes[$0..<min($0 + 16_384, bytes.count)])).bytes
  }
}

extension StreamingCall {
  /// Reads all remaining messages, and the error after them.
  func rest() async -> (messages: [[UInt8]], error: CallError?) {
    var messages: [[UInt8]] = []
    do throws(CallError) {
      while let message = try await next() { messages.append(message) }
      return (messages, nil)
    } catch {
      return (messages, error)
    }
  }

  /// Sends a message and returns the error.
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
  /// Opens a streaming call without the codec.
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
  /// Waits for RST_STREAM on stream 1 and returns its code.
  func reset(on connection: Int = 0) async -> HTTP2ErrorCode {
    let frame = await frame(.resetStream, on: connection) { $0.stream == 1 }
    return HTTP2ErrorCode(rawValue: frame.number())
  }

  /// Waits until this many bytes arrived on a stream, without frame headers.
  func receive(_ count: Int, stream: Int = 1, on connection: Int = 0) async {
    var total = 0
    _ = await frame(.data, on: connection) { frame in
      if frame.stream == UInt32(stream) { total += frame.payload.count }
      return total >= count
    }
  }

  /// Waits until the client has returned this many bytes to the window of a stream, or of the
  /// connection (0).
  func receiveCredit(_ count: Int, stream: Int) async {
    var total = 0
    _ = await frame(.windowUpdate) { frame in
      if frame.stream == UInt32(stream) { total += Int(frame.number()) }
      return total >= count
    }
  }

  /// Waits until this many frames of a kind arrived.
  func receive(_ count: Int, _ kind: RawFrame.Kind) async {
    var total = 0
    _ = await frame(kind) { _ in
      total += 1
      return total == count
    }
  }

  /// Returns the bytes received on a stream, without frame headers.
  func body(_ stream: Int = 1, on connection: Int = 0) -> [UInt8] {
    received(.data, on: connection).filter { $0.stream == UInt32(stream) }.flatMap(\.payload)
  }
}
