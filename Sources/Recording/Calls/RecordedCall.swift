package import WireGRPC
package import WireProtobuf

/// One call as a binary log tells it.
package struct RecordedCall: Hashable, Sendable {
  /// A message and when it was sent or received.
  package struct Message: Hashable, Sendable {
    package var bytes: [UInt8]
    package var time: Timestamp?
  }

  /// Something that happened in the course of the call.
  package struct Event: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
      /// The next of `requests`.
      case request
      /// The client said that no more requests come.
      case halfClose
      case headers
      /// The next of `responses`.
      case response
      case ending
      /// The client gave up.
      case cancel
    }

    package var kind: Kind
    package var time: Timestamp?
  }

  /// How the call ended.
  package struct Ending: Hashable, Sendable {
    package var code: StatusCode
    /// Decoded: not percent-encoded.
    package var message: String
    /// A serialized google.rpc.Status, or empty.
    package var details: [UInt8]
    package var trailers: Metadata
    package var time: Timestamp?
  }

  /// Unique among the calls of the process that wrote the log; never 0.
  package var id: UInt64
  /// Its number in the list of `tripwire log`: calls are counted from 1, in the order in which they begin.
  package var number = 0
  /// The path, "/package.Service/Method".
  package var method: String
  /// The host the client asked for, if it was recorded.
  package var authority: String
  /// When the call began.
  package var time: Timestamp?
  package var requestMetadata = Metadata()
  package var requests: [Message] = []
  /// Nil when the server answered with trailers alone.
  package var headers: Metadata?
  package var responses: [Message] = []
  /// Nil when the log ends first, or the client gave up.
  package var ending: Ending?
  /// What happened, in the order of the log.
  package var course: [Event] = []
  /// A request is not whole (`payload_truncated`): it can be matched with nothing.
  package var requestIsTruncated = false
  /// A header, message or trailer of the server is not whole: it can not be sent again.
  package var answerIsTruncated = false
}
