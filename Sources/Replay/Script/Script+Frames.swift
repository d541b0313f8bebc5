import WireGRPC
import WireGRPCServer
import WireHTTP2
import WireProtobuf

// The frames for the parts of a script.

extension Script.Headers {
  func headerFields() throws(InvalidStep) -> [HeaderField] {
    let fields = self.fields.map { HeaderField($0.name, $0.value) }
    if raw {
      guard status == 0 else {
        throw InvalidStep(
          "headers.status", "cannot be used with raw headers",
          hint: "add {\"name\": \":status\", …} to \"fields\"")
      }
      return fields
    }
    guard status == 0 || (200...999).contains(status) else {
      throw InvalidStep(
        "headers.status", "must be from 200 to 999, found \(status)",
        hint: "for other values set \"raw\": true and add \":status\" to \"fields\"")
    }
    let isTyped = fields.contains { $0.name == "content-type" }
    return [HeaderField(":status", "\(status == 0 ? 200 : status)")]
      + (isTyped ? [] : [HeaderField("content-type", "application/grpc")]) + fields
  }
}

extension Script.Trailers {
  func headerFields() -> [HeaderField] {
    let fields = self.fields.map { HeaderField($0.name, $0.value) }
    guard !raw else { return fields }
    let status = Status(StatusCode(rawValue: Int(code.rawValue)), message, encodedDetails)
    return status.headerFields + fields
  }

  private var encodedDetails: [UInt8] {
    guard !details.isEmpty else { return [] }
    return RPCStatus(code: code.rawValue, message: message, details: details).serializedBytes()
  }
}

extension Script.LengthPrefixedMessage {
  func body() throws(InvalidStep) -> ResponseAction {
    var message: [UInt8] =
      switch content {
      case .json(let any): any.value
      case .bytes(let bytes): bytes
      case nil: []
      }
    var isCompressed = false
    if compression == .gzip, let shorter = Deflater.gzip(message) {
      message = shorter
      isCompressed = true
    }
    var frame = try mapError(MessageFramer.frame(message, isCompressed: isCompressed)) {
      (error: CallError) in InvalidStep(nil, error.message)
    }
    if let flags {
      frame[0] = try UInt8(flags, of: "message.flags")
    }
    if let declaredLength {
      let octets = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: declaredLength >> $0) }
      frame.replaceSubrange(1..<MessageFramer.prefixLength, with: octets)
    }
    let frames = try split.sizes(of: "message")
    return frames.isEmpty ? .message(frame) : .data(frame, frames: frames, endStream: false)
  }
}

extension Script.GoAway {
  func action() throws(InvalidStep) -> ControlAction {
    if let last, last < 0 || last != 0 && last % 2 == 0 {
      throw InvalidStep("goAway.last", "must be 0 or the odd ID of a client stream, found \(last)")
    }
    let debug = Array(self.debug.utf8)
    guard debug.count <= Self.debugLimit else {
      throw InvalidStep("goAway.debug", "must not be longer than \(Self.debugLimit) bytes")
    }
    return .goAway(last: last, code.http2, debug: debug)
  }

  /// The part that fits into one frame with the rest.
  private static let debugLimit = (16 << 10) - 8
}

extension Script.Frame {
  func raw() throws(InvalidStep) -> RawFrame {
    let type = try UInt8(type.rawValue, of: "frame.type")
    let flags = try UInt8(flags, of: "frame.flags")
    if let stream, stream < 0 {
      throw InvalidStep("frame.stream", "must not be negative")
    }
    guard payload.isEmpty || fields.isEmpty else {
      throw InvalidStep("frame.payload", "cannot be used with \"fields\"")
    }
    let block = RawFrame.block(fields.map { HeaderField($0.name, $0.value) })
    let frame = RawFrame(
      type: type, flags: flags, stream: stream, payload: payload.isEmpty ? block : payload)
    guard frame.payload.count <= RawFrame.payloadLimit else {
      throw InvalidStep("frame", "must not be longer than \(RawFrame.payloadLimit) bytes")
    }
    return frame
  }
}

extension UInt8 {
  fileprivate init(_ number: some BinaryInteger, of field: String) throws(InvalidStep) {
    guard let byte = UInt8(exactly: number) else {
      throw InvalidStep(field, "must be from 0 to 255, found \(number)")
    }
    self = byte
  }
}

extension Script.ErrorCode {
  var http2: HTTP2ErrorCode { HTTP2ErrorCode(rawValue: UInt32(bitPattern: rawValue)) }
}

extension [Int32] {
  /// The number of bytes in each frame.
  ///
  /// - Parameter action: "message" or "data".
  func sizes(of action: String) throws(InvalidStep) -> [Int] {
    guard allSatisfy({ $0 >= 0 }) else {
      throw InvalidStep("\(action).split", "must not contain a negative frame size")
    }
    return map(Int.init)
  }
}
