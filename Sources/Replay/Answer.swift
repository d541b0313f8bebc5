import Recording
import WireGRPC
import WireHTTP2

/// What goes back on a stream.
struct Answer: Hashable {
  /// Why a recorded call can not be replayed.
  enum Flaw: Error, Hashable {
    case truncatedRequest
    case truncatedAnswer
    case unfinished
    case oversized(String)
  }

  /// The first header list; with no trailers, the only one (Trailers-Only).
  var headers: [HeaderField]
  /// The messages in their frames.
  var body: [UInt8] = []
  var trailers: [HeaderField]?

  private static let contentType = HeaderField("content-type", "application/grpc")

  /// What the server said in a recorded call.
  init(_ call: RecordedCall) throws(Flaw) {
    guard !call.requestIsTruncated else { throw .truncatedRequest }
    guard !call.answerIsTruncated else { throw .truncatedAnswer }
    guard let ending = call.ending else { throw .unfinished }

    let last =
      Self.status(ending.code, ending.message, ending.details) + ending.trailers.headerFields()
    headers = [HeaderField(":status", "200"), Self.contentType]
    guard call.headers != nil || !call.responses.isEmpty else {
      headers += last
      return
    }
    headers += call.headers?.headerFields() ?? []
    trailers = last
    for message in call.responses {
      do throws(CallError) {
        body += try MessageFramer.frame(message.bytes)
      } catch {
        throw .oversized(error.message)
      }
    }
  }

  init(_ refusal: Refusal) {
    headers = [
      HeaderField(":status", "\(refusal.httpStatus)"), Self.contentType,
      HeaderField("grpc-accept-encoding", ContentCoding.accepted),
    ]
    headers += Self.status(refusal.code, refusal.message, [])
  }

  private static func status(
    _ code: StatusCode, _ message: String, _ details: [UInt8]
  ) -> [HeaderField] {
    var fields = [HeaderField("grpc-status", "\(code.rawValue)")]
    if !message.isEmpty {
      fields.append(HeaderField("grpc-message", StatusMessage.encode(message)))
    }
    if !details.isEmpty {
      fields.append(HeaderField("grpc-status-details-bin", Base64.encode(details)))
    }
    return fields
  }
}

extension Answer.Flaw: CustomStringConvertible {
  var description: String {
    switch self {
    case .truncatedRequest:
      "its request was cut short when recorded (payload_truncated): record without a size limit"
    case .truncatedAnswer:
      "its answer was cut short when recorded (payload_truncated): record without a size limit"
    case .unfinished: "the recording does not say how it ended"
    case .oversized(let reason): reason
    }
  }
}
