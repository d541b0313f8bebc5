package import WireGRPC
package import WireProtobuf

/// One call in a binary log.
package struct RecordedCall: Hashable, Sendable {
  package struct Event: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
      /// The next element of `requests`.
      case request
      /// The client closed its side of the stream.
      case halfClose
      case headers
      /// The next element of `responses`.
      case response
      case ending
      /// The client canceled the call.
      case cancel
    }

    package var kind: Kind
    package var time: Timestamp?
  }

  package struct Ending: Hashable, Sendable {
    package var code: StatusCode
    /// The message, with percent-encoding decoded.
    package var message: String
    /// A serialized google.rpc.Status, or empty.
    package var details: [UInt8]
    package var trailers: Metadata
    package var time: Timestamp?
  }

  /// The call_id: unique among the calls of the process that wrote the log; never 0.
  var id: UInt64
  /// The number in the list of `tripwire log`: from 1, in the order of the calls' first entries.
  package var number = 0
  /// The path, such as "/package.Service/Method".
  package var method: String
  /// The host that the client requested; empty if it was not recorded.
  var authority: String
  /// When the call started.
  package var time: Timestamp?
  var requestMetadata = Metadata()
  package var requests: [[UInt8]] = []
  /// Nil if the server sent trailers only.
  package var headers: Metadata?
  package var responses: [[UInt8]] = []
  /// Nil if the log ends before the call, or the client canceled it.
  package var ending: Ending?
  /// The events in the order of the log.
  package var events: [Event] = []
  /// Whether a request is truncated (`payload_truncated`), so it cannot be matched.
  package var requestIsTruncated = false
  /// Whether a header, message or trailer of the server is truncated, so it cannot be replayed.
  package var responseIsTruncated = false
}
