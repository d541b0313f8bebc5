import TestSupport
import Testing
import WireProtobuf

@testable import Recording
@testable import WireGRPC

@Suite struct EntryEncoderTests {
  private var dice = SplitMix(state: 6)

  /// Returns bytes with lengths around those at which the length prefix grows.
  private mutating func bytes() -> [UInt8] {
    let count = [0, 1, 30, 126, 127, 128, 129, 300, 16_383, 16_384].randomElement(using: &dice)
    return [UInt8](repeating: 97, count: count ?? 0)
  }

  private mutating func metadata() -> Metadata {
    var metadata = Metadata()
    for number in 0..<Int.random(in: 0...4, using: &dice) {
      let value = bytes()
      metadata.append(unchecked: "x-\(number)", .text(String(decoding: value, as: UTF8.self)))
      metadata.append(unchecked: "x-\(number)-bin", .binary(value))
    }
    return metadata
  }

  private mutating func event() -> CallEvent {
    let timeouts: [Duration?] = [nil, .zero, .nanoseconds(1), .seconds(15), .seconds(99_999_999)]
    let codes: [Int] = [0, 1, 5, 16, 99, .max]
    var error = CallError(
      code: StatusCode(rawValue: codes.randomElement(using: &dice) ?? 0),
      message: String(decoding: bytes(), as: UTF8.self), trailers: metadata(), origin: .server)
    error.trailers.append(unchecked: "grpc-status-details-bin", Metadata.Value.binary(bytes()))
    return switch Int.random(in: 0..<7, using: &dice) {
    case 0:
      .start(metadata: metadata(), timeout: timeouts.randomElement(using: &dice) ?? nil)
    case 1: .message(request: bytes())
    case 2: .requestEnd
    case 3: .responseHeaders(metadata())
    case 4: .message(response: bytes())
    case 5: .end(.success(metadata()))
    default: .end(.failure(error))
    }
  }

  @Test mutating func matchesTheCodec() throws {
    let limits = [0, 1, 128, 200, .max].map { RecordingFilter.Limits(metadata: $0, message: $0) }
    var encoder = EntryEncoder()
    for number in 0..<3000 {
      let call = RecordedCallHead(
        id: UInt64.random(in: 1...(.max), using: &dice), method: "/a.B/C",
        authority: number.isMultiple(of: 2) ? "" : "localhost:1",
        limits: limits.randomElement(using: &dice) ?? .whole)
      let head = EntryHead(
        call: call, sequence: UInt64(number + 1),
        time: ([-1, 0, 1, 1 << 40].randomElement(using: &dice) ?? 0, Int32(number % 2)),
        peer: [nil, "127.0.0.1:443", "[::1]:1", "unix:/a", "?"].randomElement(using: &dice) ?? nil)
      encoder.add(event(), head)
    }
    #expect(encoder.count == 3000)

    var framer = EntryFramer(limit: 1 << 20)
    framer.append(encoder.bytes)
    var count = 0
    while let frame = try framer.next() {
      count += 1
      let entry = try BinlogGrpcLogEntry(serializedBytes: frame.bytes)
      #expect(entry.sequenceIdWithinCall == UInt64(count))
      #expect(entry.unknownFields.isEmpty)
      #expect(entry.serializedBytes() == Array(frame.bytes))
    }
    #expect(count == 3000)
    #expect(framer.truncatedTail == nil)
  }
}
