import TestSupport
import WireHTTP2

/// Header lists, and sessions with which many tests begin.
enum Samples {
  static let request = [
    HeaderField(":method", "POST"), HeaderField(":scheme", "http"),
    HeaderField(":path", "/maps.fleetengine.v1.TripService/GetTrip"),
    HeaderField(":authority", "localhost:50051"), HeaderField("te", "trailers"),
    HeaderField("content-type", "application/grpc"),
    HeaderField("authorization", "Bearer secret", isSensitive: true),
  ]
  static let response = [
    HeaderField(":status", "200"), HeaderField("content-type", "application/grpc"),
  ]
  static let trailers = [HeaderField("grpc-status", "0")]

  /// Returns a client that has received the peer's SETTINGS and has sent one request, on stream 1.
  static func client(
    _ configuration: HTTP2Configuration = .init(), body: [UInt8] = [1, 2, 3],
    endStream: Bool = true, settings: (UInt16, UInt32)...
  ) throws -> (HTTP2ClientSession, ScriptedPeer) {
    let client = try HTTP2ClientSession(configuration: configuration)
    var peer = ScriptedPeer(client)
    let entries = settings.flatMap { bigEndian($0.0) + bigEndian($0.1) }
    peer.send(RawFrame(.settings, entries), .settingsAcknowledgement)
    _ = try client.submitRequest(request, body: body, endStream: endStream)
    peer.receive()
    return (client, peer)
  }

  /// Returns a server that has received the peer's SETTINGS.
  static func server(
    _ configuration: HTTP2Configuration = .init()
  ) throws -> (HTTP2ServerSession, ScriptedPeer) {
    let server = try HTTP2ServerSession(configuration: configuration)
    var peer = ScriptedPeer(server)
    peer.send(bytes: RawFrame.clientPreface + RawFrame.settings().bytes)
    peer.send(.settingsAcknowledgement)
    return (server, peer)
  }
}

extension HTTP2Configuration {
  init(_ change: (inout HTTP2Configuration) -> Void) {
    self.init()
    change(&self)
  }
}

/// The numbers of SETTINGS entries (RFC 9113 §6.5.2).
enum Setting {
  static let enablePush: UInt16 = 2
  static let maxConcurrentStreams: UInt16 = 3
  static let initialWindowSize: UInt16 = 4
  static let maxFrameSize: UInt16 = 5
  static let maxHeaderListSize: UInt16 = 6
}

extension HTTP2ClientSession {
  func submitRequest(
    _ fields: [HeaderField], body: [UInt8] = [], endStream: Bool
  ) throws(HTTP2Error) -> StreamID {
    try submitRequest(HeaderList(fields), body: body, endStream: endStream)
  }
}

extension HTTP2ServerSession {
  func submitResponse(_ stream: StreamID, _ fields: [HeaderField], endStream: Bool) {
    submitResponse(stream, HeaderList(fields), endStream: endStream)
  }

  func submitTrailers(_ stream: StreamID, _ fields: [HeaderField]) {
    submitTrailers(stream, HeaderList(fields))
  }
}
